"""Whose run died, what ran with less, and what a failed block or a late death tells."""

from typing import Any

import pytest

from advisor.advice import Advice
from advisor.advisor import advise
from advisor.query import Kind, Query
from advisor.rules import first_card_fuller, table_covers_me
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case
from tests.advisor.topics.oom import ask, asked, whys

LANGUAGES = pytest.mark.parametrize("language", ["en", "de"])


def _advised(**slots: Any) -> Advice:
    """With its findings."""
    query = Query(kind=Kind.OOM_HELP, sources=dict.fromkeys(slots, "stated"), **slots)
    return advise(query, load_catalog())


@LANGUAGES
def test_what_only_others_saw_is_no_failure_of_who_asks(language: str) -> None:
    """ "A 3090 for this? Somebody's 32 GB filled up": yes, with other settings than theirs."""
    llama = {"params_b": 7.0, "method": "lora", "gpus": cards("rtx-3090")}
    others = ask("fits_check", **llama, symptoms=("oom_step", "others_ran_out"))
    reply = render(others, language)
    assert reply.title.startswith({"en": "Yes", "de": "Ja"}[language])
    assert others.verdict.facts["rich"] > 32e9
    assert "nvidia-smi" not in reply.text
    own = render(ask("oom_help", **llama, symptoms=("oom_step", "others_ran_out")), language)
    assert not own.title.startswith(("Yes", "Ja"))


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("3090 for llama-adapter training? someone's V100S 32GB already filled up", True),
        ("would llama 7b lora run on my 3090? i read that it goes out of memory even on 32 GB", True),
        ("reicht eine 3090 für llama 7b lora? jemand mit einer V100 32GB hatte oom", True),
        ("will llama 7b lora fit my 3090? it gives oom", False),
    ],
)
def test_whose_run_died_is_read(text: str, others: bool) -> None:
    assert bool(asked(text).verdict.facts.get("rich")) is others


@LANGUAGES
def test_where_the_card_holds_nearly_everything_the_script_is_a_suspect_and_asked_for(language: str) -> None:
    llama = {"model": "meta-llama/Llama-2-7b-hf", "method": "lora", "symptoms": ("oom_step",)}
    roomy = ask(**llama, gpus=cards("a40"))
    assert roomy.asks == "script"
    assert "DPO" in render(roomy, language).text
    for small in (ask(**llama, gpus=cards("rtx-3090")), ask(**llama, gpus=cards("a40"), trainer="axolotl")):
        assert small.asks != "script"
        assert "DPO" not in render(small, language).text


@LANGUAGES
def test_too_little_ram_to_load_goes_before_the_suspects_and_the_guide_is_compared(language: str) -> None:
    """16 GB of RAM, FSDP, long documents: "the guide trains a 70B on such cards"."""
    eight = {"model": "meta-llama/Meta-Llama-3-8B", "method": "qlora", "seq_len": 8192, "sharding": "fsdp"}
    given = {**eight, "gpus": cards("a40", 4), "symptoms": ("oom_step",), "claims": ("table_covers_me",)}
    larger = {"models": ("meta-llama/Meta-Llama-3-70B",)}
    short = ask("multi_gpu", **given, **larger, ram_gb=16.0)
    assert short.verdict.facts["ram_short"] is True
    assert {"en": "So RAM comes first", "de": "Also zuerst der RAM"}[language] in render(short, language).text
    assert ask("multi_gpu", **given, **larger, ram_gb=64.0).verdict.facts["ram_short"] is False
    guide = table_covers_me.check(case(kind="multi_gpu", **given, **larger, ram_gb=16.0))
    assert guide is not None
    assert guide.facts["ram"] > 100 * 2**30
    smaller = table_covers_me.check(case(kind="multi_gpu", **given, models=("Qwen/Qwen2.5-7B",), ram_gb=16.0))
    assert smaller is not None
    assert smaller.facts["ram"] is None


@LANGUAGES
def test_what_ran_with_less_than_we_count_is_right(language: str) -> None:
    """ "I measured 38 GB, the calculator says 16: who is right?", where full batches would take 60."""
    seen = {"params_b": 7.0, "method": "lora", "seq_len": 2048, "micro_batch": 4, "grad_checkpointing": False}
    given = {**seen, "gpus": cards("a100-40gb-pcie"), "seen_gib": 38.0}
    told = ask(**given, claimed_gib=16.0, claims=("table_covers_me",))
    assert told.verdict.code == "less"
    assert told.verdict.facts["claims_checked"] is True
    reply = render(told, language)
    assert reply.title.startswith({"en": "You are right", "de": "Du hast recht"}[language])
    assert {"en": "does not fit", "de": "passt nicht"}[language] not in reply.text
    assert ask(**given, symptoms=("oom_step",)).verdict.code != "less"
    assert ask(**{**given, "seen_gib": 60.0}).verdict.code != "less"
    assert ask(**{**given, "gpus": cards("a100-80gb-sxm")}).verdict.code != "less"


@LANGUAGES
def test_a_block_tells_how_many_tokens_its_step_had(language: str) -> None:
    nemo = {"model": "mistralai/Mistral-Nemo-Base-2407", "method": "qlora", "gpus": cards("rtx-3090")}
    late = ask(**nemo, tried_allocate_gib=8.2, symptoms=("oom_step", "oom_later"))
    assert late.verdict.facts["block_tokens"] == int(8.2 * 2**30 / 4 / 131_072)
    assert {"en": "your batch is that long", "de": "So lang ist deine Batch"}[language] in render(late, language).text
    for small in (0.5, 1.0, 340.0):  # other tensors, no more than is counted with, no logits at all
        assert ask(**nemo, tried_allocate_gib=small, symptoms=("oom_step",)).verdict.facts["block_tokens"] is None


@LANGUAGES
def test_split_adapters_are_gathered_when_saved_and_no_reading_of_training_is_judged(language: str) -> None:
    llama = {"model": "meta-llama/Llama-3.1-70B", "method": "qlora", "gpus": cards("a100-80gb-sxm", 2)}
    given = {**llama, "sharding": "fsdp", "seen_gib": 60.0}
    save = render(ask(**given, symptoms=("oom_step", "oom_save")), language)
    assert "SHARDED_STATE_DICT" in save.text
    assert "60" not in save.title
    merge = render(ask(**given, symptoms=("oom_step", "oom_save", "oom_merge")), language)
    assert "SHARDED_STATE_DICT" not in merge.text


def test_a_model_that_just_fits_is_told_apart_from_one_that_does_not() -> None:
    gemma = {"model": "google/gemma-2-9b", "models": ("meta-llama/Llama-2-13b-hf",), "method": "qlora"}
    both = ask(**gemma, seq_len=2048, micro_batch=4, gpus=cards("l4"), symptoms=("oom_step",))
    assert both.verdict.code == "contrast"
    title = render(both, "en").text
    assert "instead of 0.0" not in title
    assert "To get gemma-2-9b through" in title


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("llama 3.1 8b lora on a 4090: as soon as I add modules_to_save embed_tokens, lm_head it OOMs", "too_big"),
        ("llama 3.1 8b lora on a 4090 with modules_to_save embed_tokens OOMs when saving the checkpoint", "save"),
        (
            "yi-34b qlora 2x3090: model loads (10GB each) and the first forward OOMs at 2048. device_map auto",
            "should_fit",
        ),
        ("yi-34b qlora 2x3090, device_map auto: OOM while loading the checkpoint shards", "load"),
    ],
)
def test_a_setting_is_no_saving_and_what_was_loaded_did_not_die_there(text: str, code: str) -> None:
    assert asked(text).verdict.code == code


def test_attention_that_is_not_fused_is_a_suspect_only_on_cards_before_ampere() -> None:
    glm = {"params_b": 7.0, "method": "qlora", "seq_len": 8192, "micro_batch": 1, "grad_checkpointing": True}
    old = whys(ask(**glm, gpus=cards("v100-32gb"), symptoms=("oom_step",)))
    assert "eager" in old
    assert "eager" not in whys(ask(**glm, gpus=cards("v100-32gb"), attention="sdpa", symptoms=("oom_step",)))
    assert "eager" not in whys(ask(**glm, gpus=cards("rtx-5090"), symptoms=("oom_step",)))


@LANGUAGES
def test_copies_on_each_card_are_told_first_where_one_card_does_shorter_ones(language: str) -> None:
    qwen = {"model": "Qwen/Qwen-14B", "method": "qlora", "gpus": cards("rtx-3090", 4), "symptoms": ("oom_step",)}
    title = render(ask(**qwen), language).title
    assert title.startswith({"en": "4 cards do not add up", "de": "4 Karten zählen nicht zusammen"}[language])
    one = {**qwen, "gpus": cards("rtx-3090")}
    assert not render(ask(**one), language).title.startswith(("4 ", "1 "))


@LANGUAGES
def test_a_late_death_has_a_length_to_cap_at_and_whose_fault_it_is(language: str) -> None:
    llama = {"model": "meta-llama/Llama-2-7b-hf", "method": "qlora", "gpus": cards("t4")}
    late = ask(**llama, symptoms=("oom_step", "oom_later"))
    facts = late.verdict.facts
    assert facts["cap"] == min(facts["limit"], facts["limit_unchecked"], facts["limit_batch"])
    assert "`max_length` 768" in render(late, language).text
    asked_so = ask(**llama, symptoms=("oom_step", "oom_later", "asks_normal"))
    said = {"en": "No fault of yours", "de": "Nicht deine Schuld"}[language]
    assert render(asked_so, language).title.startswith(said)
    assert said not in render(late, language).title


@LANGUAGES
def test_pairs_that_died_at_a_stated_batch_are_longer_than_the_limit(language: str) -> None:
    dpo = {"params_b": 4.0, "method": "lora", "algorithm": "dpo", "gpus": cards("a100-80gb-sxm")}
    said = {"en": "so yours are longer", "de": "deine sind also länger"}[language]
    assert said in render(ask(**dpo, micro_batch=2, symptoms=("oom_step",)), language).text
    assert said not in render(ask(**dpo, symptoms=("oom_step",)), language).text


@LANGUAGES
def test_the_other_models_vocabulary_stands_beside_the_large_one(language: str) -> None:
    gemma = {"model": "google/gemma-2b", "method": "lora", "claims": ("smaller_model_less_memory",)}
    given = {**gemma, "seq_len": 4096, "micro_batch": 4, "symptoms": ("oom_step",)}
    assert "32" in render(_advised(**given, models=("mistralai/Mistral-7B-v0.3",)), language).text.split("\n")[0]
    assert "Mistral" in render(_advised(**given, models=("mistralai/Mistral-7B-v0.3",)), language).text
    assert "2B" in render(_advised(**given), language).text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("colab T4, llama2-7b qlora dies with oom at step 1935 of 10920. my fault?", True),
        ("colab T4, llama2-7b qlora bricht bei Schritt 1935 mit OOM ab. meine schuld?", True),
        ("colab T4, llama2-7b qlora dies with oom at step 1935 of 10920. default settings", False),
    ],
)
def test_whether_somebody_asks_for_blame_is_read(text: str, read: bool) -> None:
    assert ("asks_normal" in asked(text).query.symptoms) is read


@LANGUAGES
def test_pairs_of_a_stated_length_that_fit_are_said_to(language: str) -> None:
    """SFT runs at 512 tokens, DPO at 512 does not, and by the sum it fits."""
    dpo = {"params_b": 7.0, "method": "lora", "algorithm": "dpo", "gpus": cards("l4"), "symptoms": ("oom_step",)}
    assert "nvidia-smi" in render(ask(**dpo, seq_len=512), language).text
    assert "nvidia-smi" not in render(ask(**dpo), language).text


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("QLoRA 70B on an A6000 48GB ran at 46 GB until step 300, then OOM. why so late?", {"oom_later"}),
        ("QLoRA 70B auf einer A6000 48GB lief bis Schritt 300, dann OOM. Warum erst so spät?", {"oom_later"}),
        ("llama 3 8b qlora on 2x 4090 with ddp: card 0 takes 22 GB, card 1 only 14, OOM", {"first_card_fuller"}),
        ("Llama-3-8B QLoRA, 2x 4090 mit DDP: Karte 0 braucht 22 GB, Karte 1 nur 14, OOM", {"first_card_fuller"}),
        (
            "qwen3 8b lora with liger on a 4090 worked, without liger OOM at 8k. is liger really that much?",
            {"asks_saving"},
        ),
        ("trained qwen3 8b lora until step 300 on a 4090, is that enough?", set()),
    ],
)
def test_how_a_run_died_is_read(text: str, codes: set[str]) -> None:
    told = {"oom_later", "first_card_fuller", "asks_saving"}
    assert told & set(asked(text).query.symptoms) == codes


def test_layers_over_uneven_cards_are_uneven_by_design() -> None:
    llama = {"params_b": 13.0, "method": "lora", "gpus": cards("rtx-3090", 2), "symptoms": ("oom_step", "uneven")}
    found = first_card_fuller.check(case(kind="oom_help", **llama, sharding="pipeline"))
    assert found is not None
    assert found.facts["layered"] is True
    assert first_card_fuller.check(case(kind="oom_help", **llama, sharding="ddp")) is None


def test_what_a_loss_saves_is_asked_of_one_that_is_off_too() -> None:
    qwen = {"model": "Qwen/Qwen3-8B", "method": "lora", "seq_len": 8192, "gpus": cards("rtx-4090")}
    for on in (True, False):
        facts = ask(**qwen, fused_loss=on, symptoms=("oom_step", "asks_saving")).verdict.facts
        assert facts["setting"] == "fused_loss"
        assert facts["saved"] > 10 * 2**30

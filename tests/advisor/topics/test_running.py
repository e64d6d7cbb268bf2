"""What the asker saw running, failing or measured stands in the first line; the estimate stands beside it."""

from typing import Any

import pytest

from advisor.advice import Advice
from advisor.rules import it_works, seen_against_estimate, seen_tells, table_covers_me
from advisor.stacks import GIB
from advisor.topics.running import runs, runs_to
from bot.renderer import render, words_of
from tests.advisor.rules.ask import cards, case

GPT_J: dict[str, Any] = {
    "kind": "fits_check", "params_b": 6.0, "method": "lora", "weight_bits": 8.0, "micro_batch": 32,
    "gpus": cards("rtx-3080-10gb"),
}  # fmt: skip
LLAMA: dict[str, Any] = {
    "kind": "context_length", "model": "meta-llama/Meta-Llama-3-8B", "method": "qlora", "weight_bits": 4.0,
    "gpus": cards("a100-80gb-sxm"),
}  # fmt: skip
SPLITS: dict[str, Any] = {
    "kind": "multi_gpu", "model": "tiiuae/falcon-7b", "method": "full", "sharding": "fsdp",
    "gpus": cards("a100-40gb-pcie", 8), "named": {"sharding": ("fsdp", "zero3")},
}  # fmt: skip
ON_TWO: dict[str, Any] = {
    "kind": "multi_gpu", "model": "meta-llama/Llama-2-70b-hf", "method": "qlora", "weight_bits": 4.0, "seq_len": 512,
    "micro_batch": 1, "gpus": cards("rtx-3090", 2), "symptoms": ("oom_step",), "claims": ("table_covers_me",),
}  # fmt: skip


def _first(advice: Advice | None, language: str) -> str:
    assert advice is not None
    return render(advice, language).title


def _text(advice: Advice | None, language: str) -> str:
    assert advice is not None
    return render(advice, language).text


@pytest.mark.parametrize(("language", "no"), [("en", "No:"), ("de", "Nein:")])
def test_what_runs_is_not_denied(language: str, no: str) -> None:
    """GPT-J in 8 bit runs on a 10 GB card at batch 32: the sequences are short."""
    made = case(**GPT_J, symptoms=("it_works",))
    assert made.advice is not None
    assert made.advice.verdict.code == "runs"
    facts = made.advice.verdict.facts
    assert facts["runs_to"] < facts["counted_len"] == 2048
    assert facts["lean"] <= facts["usable"] < facts["counted"]
    assert not made.advice.changes
    assert no not in _text(made.advice, language)
    assert it_works.check(made) is None


@pytest.mark.parametrize(("language", "words"), [("en", "that counts"), ("de", "das zählt")])
def test_what_runs_at_a_stated_length_counts_more_than_the_estimate(language: str, words: str) -> None:
    made = case(**GPT_J, seq_len=2048, symptoms=("it_works",))
    assert runs(made)
    assert runs_to(made) is None
    assert words in _first(made.advice, language)
    assert words_of(language)["fit"]["no"] + " |" not in _text(made.advice, language)


def test_a_helped_run_that_works_is_asked_about_its_fit() -> None:
    """The words of a failure in what others say do not make it one."""
    made = case(**GPT_J | {"kind": "oom_help"}, symptoms=("it_works",))
    assert made.advice is not None
    assert made.advice.verdict.code == "runs"
    assert not runs(case(**GPT_J, symptoms=("it_works", "oom_step")))
    assert not runs(case(**GPT_J))


def test_what_others_name_beside_a_run_is_no_reading() -> None:
    """ "works for me on a 24 GB card, why does everyone say 48 GB?" """
    slots: dict[str, Any] = {"kind": "fits_check", "params_b": 7.0, "method": "lora", "micro_batch": 16}
    made = case(**slots, gpus=cards("rtx-3090"), seen_gib=48.0, symptoms=("it_works",))
    assert seen_tells.check(made) is None
    assert seen_tells.check(case(**slots, gpus=cards("rtx-3090"), seen_gib=48.0)) is not None


@pytest.mark.parametrize(
    ("language", "fused", "words"),
    [
        ("en", "100k ran out for you", "it ran out for you"),
        ("de", "Bei 100k ging dir der Speicher aus", "bei dir ging der Speicher aus"),
    ],
)
def test_what_failed_is_not_said_to_fit(language: str, fused: str, words: str) -> None:
    """100k tokens died in spite of Unsloth: the stock loss ends at about 30k, so the fused one is likely off."""
    made = case(**LLAMA, seq_len=102_400, trainer="unsloth", symptoms=("oom_step",))
    assert made.advice is not None
    first = _first(made.advice, language)
    assert first.startswith(fused)
    assert "30k" in first
    assert "| 64k" not in _text(made.advice, language)
    open_ = case(**LLAMA, seq_len=4096, symptoms=("oom_step",))
    assert words in _first(open_.advice, language)


def test_what_is_on_already_is_not_missing() -> None:
    slots = LLAMA | {"seq_len": 16_384, "gpus": cards("a100-80gb-sxm"), "trainer": "axolotl", "symptoms": ("oom_step",)}
    bare = case(**slots)
    assert bare.advice is not None
    assert bare.advice.verdict.facts["next"]["missing"] == ["fused_loss", "activation_offload"]
    offloads = case(**slots, activation_offload=True)
    assert offloads.advice is not None
    assert offloads.advice.verdict.facts["next"]["missing"] == ["fused_loss"]
    assert "which your set-up still lacks" in _first(offloads.advice, "en") + _text(offloads.advice, "en")


@pytest.mark.parametrize(("language", "words"), [("en", "your own figures"), ("de", "deinen eigenen Zahlen")])
def test_who_measured_both_ways_reads_no_table_against_it(language: str, words: str) -> None:
    made = case(**SPLITS, seen_gib=23.8, seen_s_per_step=2.9)
    assert words in _first(made.advice, language)
    assert "|" not in _text(made.advice, language)
    assert seen_tells.check(made) is None
    assert "|" in _text(case(**SPLITS).advice, language)


def test_a_split_that_fits_only_with_offload_is_what_the_recipe_means() -> None:
    """Llama-2 70B ran on two 24 GB cards with FSDP, QLoRA and parameters in RAM."""
    found = table_covers_me.check(case(**ON_TWO, sharding="fsdp"))
    assert found is not None
    assert found.facts["offloads"] == "fsdp"
    zero = table_covers_me.check(case(**ON_TWO, sharding="zero3"))
    assert zero is not None
    assert zero.facts["offloads"] == "zero"
    for silent in (case(**ON_TWO), case(**ON_TWO, sharding="fsdp", offload="params")):
        other = table_covers_me.check(silent)
        assert other is None or other.facts["offloads"] is None


def test_what_a_mac_was_seen_to_use_it_can_use() -> None:
    slots: dict[str, Any] = {"kind": "fits_check", "params_b": 8.0, "method": "lora", "gpus": cards("apple-m3-max")}
    plain, seen = case(**slots), case(**slots, seen_gib=121.0)
    assert plain.usable is not None
    assert plain.usable < 121 * GIB == seen.usable


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_card_that_was_never_sold_is_answered_for_the_one_that_was(language: str) -> None:
    """Four RTX 3070 "of 16 GB": they have 8, and a 14B fits them only split, and with offload."""
    twice = tuple(card.model_copy(update={"vram_gb": 16.0}) for card in cards("rtx-3070", 4))
    slots: dict[str, Any] = {"kind": "fits_check", "params_b": 14.0, "method": "qlora", "seq_len": 256, "gpus": twice}
    made = case(**slots, claims=("impossible_card",))
    assert made.advice is not None
    facts = made.advice.verdict.facts
    assert (facts["card_gb"], facts["count"], facts["sharding"], facts["as_sold"]) == (8, 4, "fsdp", True)
    assert made.advice.query.gpus == twice
    first = _first(made.advice, language)
    assert "4× RTX 3070" in first
    assert "FSDP" in first
    assert "16 GB" not in first


@pytest.mark.parametrize("language", ["en", "de"])
def test_several_cards_name_the_other_methods_beside_the_verdict(language: str) -> None:
    """MPT-7B on two RTX 3090: adapters fit, all weights do not."""
    made = case(kind="multi_gpu", model="mosaicml/mpt-7b", gpus=cards("rtx-3090", 2))
    assert made.advice is not None
    assert [row["fit"] for row in made.advice.verdict.facts["ways"]] == ["yes", "unlikely"]
    assert words_of(language)["fit"]["unlikely"] in _text(made.advice, language).split("| ---")[0]


def test_where_only_offload_fits_a_shorter_length_is_told() -> None:
    slots: dict[str, Any] = {"kind": "multi_gpu", "model": "deepseek-ai/deepseek-llm-7b-base", "method": "qlora"}
    made = case(**slots, seq_len=2048, micro_batch=1, lora_rank=8, gpus=cards("p4", 8))
    assert made.advice is not None
    facts = made.advice.verdict.facts
    assert facts["shorter"]["tokens"] < 2048
    assert facts["shorter"]["need"] <= facts["usable"]


@pytest.mark.parametrize(("language", "words"), [("en", "Your own 9.0 GiB"), ("de", "Deine eigenen 9,0 GiB")])
def test_a_reading_is_where_a_longer_run_starts_from(language: str, words: str) -> None:
    slots = LLAMA | {"gpus": cards("rtx-4080"), "seq_len": 8192, "seen_gib": 9.0}
    made = case(**slots)
    assert words in _text(made.advice, language)
    assert made.advice is not None
    facts = made.advice.verdict.facts
    assert 0 < facts["per_1k"] < facts["per_1k_stock"]
    assert seen_tells.check(made) is None
    for other in ({"symptoms": ("asks_normal",)}, {"symptoms": ("oom_step",)}, {"seen_gib": 40.0}):
        advice = case(**slots | other).advice
        assert advice is not None
        assert advice.verdict.facts.get("reading") is None


def test_adapters_on_every_expert_are_named_as_assumed() -> None:
    slots: dict[str, Any] = {"kind": "fits_check", "model": "Qwen/Qwen3-30B-A3B", "method": "qlora"}
    assert "lora_targets" in case(**slots, gpus=cards("rtx-3090")).setup.assumed
    assert "lora_targets" not in case(**slots, gpus=cards("rtx-3090"), lora_targets="attention").setup.assumed
    assert "lora_targets" not in case(**slots | {"method": "full"}, gpus=cards("rtx-3090")).setup.assumed
    assert "lora_targets" not in case(kind="fits_check", params_b=8.0, gpus=cards("rtx-3090")).setup.assumed


@pytest.mark.parametrize(("language", "words"), [("en", "ran out for you"), ("de", "lief bei dir über")])
def test_the_way_that_died_is_not_recommended(language: str, words: str) -> None:
    """DDP ran out, FSDP runs: FSDP stays, though by the estimate a copy per card fits."""
    slots: dict[str, Any] = {"kind": "multi_gpu", "params_b": 13.0, "method": "lora", "sharding": "ddp"}
    slots |= {"named": {"sharding": ("ddp", "fsdp")}, "gpus": cards("a100-40gb-pcie", 4)}
    open_, died = case(**slots).advice, case(**slots, symptoms=("oom_step",)).advice
    assert open_ is not None
    assert died is not None
    assert open_.verdict.facts["pick"] == "ddp"
    assert died.verdict.facts["pick"] == "fsdp"
    assert words in _first(died, language)
    assert "|" not in _text(died, language)


def test_what_is_said_to_be_on_is_no_suspect() -> None:
    slots = LLAMA | {"seq_len": 4096, "symptoms": ("oom_step",)}
    for given, unchecked in (({}, True), ({"grad_checkpointing": True}, False)):
        found = seen_against_estimate.check(case(**slots, **given))
        assert found is not None
        assert found.facts["unchecked"] is unchecked


def test_all_weights_that_do_not_fit_name_their_states() -> None:
    """16 bytes a parameter: 6.65 billion of MPT-7B are 99 GiB."""
    advice = case(kind="multi_gpu", model="mosaicml/mpt-7b", gpus=cards("rtx-3090", 2)).advice
    assert advice is not None
    assert 98 < advice.verdict.facts["states"] / GIB < 100
    fits = case(kind="multi_gpu", params_b=1.0, gpus=cards("rtx-3090", 2)).advice
    assert fits is not None
    assert "states" not in fits.verdict.facts


@pytest.mark.parametrize(("language", "words"), [("en", "even with Unsloth"), ("de", "selbst mit Unsloth")])
def test_who_has_the_fused_loss_on_is_not_sent_to_it(language: str, words: str) -> None:
    """Qwen 7B at 16k died on a 4090 with Liger: the leanest way fills the card too."""
    slots: dict[str, Any] = {"kind": "context_length", "model": "Qwen/Qwen2.5-7B", "method": "lora", "seq_len": 16_384}
    slots |= {"gpus": cards("rtx-4090"), "symptoms": ("oom_step",)}
    fused, plain = case(**slots, fused_loss=True).advice, case(**slots).advice
    assert fused is not None
    assert plain is not None
    assert (fused.verdict.code, plain.verdict.code) == ("asked_tight", "asked_fits_lean")
    assert words in _first(fused, language)
    assert all(change.slot not in ("trainer", "fused_loss") for change in fused.changes)

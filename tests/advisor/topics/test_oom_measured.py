"""What the asker saw or names goes before our own count: another model's reading, a run without packing, a readme."""

from typing import Any

import pytest

from advisor.rules import weights_are_all, zero3_with_4_bit
from bot.renderer import render
from tests.advisor.rules.ask import cards, case
from tests.advisor.topics.oom import ask, asked, whys

LANGUAGES = pytest.mark.parametrize("language", ["en", "de"])
CHATGLM = {"model": "THUDM/chatglm-6b", "method": "lora", "gpus": cards("v100-32gb"), "symptoms": ("oom_step",)}
GALORE = {"model": "meta-llama/Meta-Llama-3-8B", "models": ("mistralai/Mistral-7B-v0.3",), "method": "full"}
OWN = {"optimizer": "galore_adamw", "gpus": cards("a100-80gb-sxm"), "symptoms": ("oom_step",)}
PACKED = {"model": "mistralai/Mistral-7B-v0.3", "gpus": cards("a100-80gb-sxm"), "symptoms": ("oom_step",)}
GRPO = {"params_b": 3.0, "algorithm": "grpo", "compute_dtype": "bf16", "symptoms": ("oom_step",)}


@LANGUAGES
def test_the_length_is_a_suspect_of_its_own_and_the_first_line_says_that_no_larger_card_is_needed(
    language: str,
) -> None:
    advice = ask(**CHATGLM)
    assert whys(advice) == ["shorter", "batch", "checkpointing"]
    reply = render(advice, language)
    assert reply.title.startswith(
        {"en": "No larger card is needed", "de": "Eine größere Karte braucht es nicht"}[language]
    )
    assert "`max_length`" in reply.text


def test_a_stated_length_is_no_suspect() -> None:
    assert "shorter" not in whys(ask(**CHATGLM, seq_len=2048))
    assert "shorter" not in whys(ask(**CHATGLM, micro_batch=1, grad_checkpointing=True))


def test_only_what_would_not_fit_is_said_to_be_more_than_that() -> None:
    title = render(ask(**CHATGLM, grad_checkpointing=True), "en").title
    assert "or a larger batch" in title
    assert "no checkpointing" not in title


@LANGUAGES
def test_16_bit_adapters_hear_what_4_bit_would_take(language: str) -> None:
    llama = {"params_b": 8.0, "seq_len": 2048, "gpus": cards("v100-32gb"), "symptoms": ("oom_step",)}
    said = {"en": "QLoRA takes", "de": "QLoRA braucht"}[language]
    assert said in render(ask(**llama, method="lora"), language).text
    assert said not in render(ask(**llama, method="qlora"), language).text


def test_embeddings_are_a_suspect_only_where_nobody_says_which_script_it_is() -> None:
    qwen = {"model": "Qwen/Qwen-7B", "method": "lora", "seq_len": 1024, "micro_batch": 1, "gpus": cards("rtx-3090")}
    assert "embeddings" in whys(ask(**qwen, symptoms=("oom_step",)))
    assert "embeddings" not in whys(ask(**qwen, trainer="llama-factory", symptoms=("oom_step",)))
    assert "embeddings" not in whys(ask(**qwen, lora_targets="qv", symptoms=("oom_step",)))


@LANGUAGES
def test_another_models_reading_is_what_this_one_is_reckoned_from(language: str) -> None:
    """ "Mistral 7B sits at 58 GB with GaLore, Llama 3 8B dies": what it takes more, on top of what was seen."""
    advice = ask(**GALORE, **OWN, seen_gib=58.0)
    facts = advice.verdict.facts["contrast"]
    assert advice.verdict.code == "another"
    assert facts["sums"] == [facts["seen"] + more for more in facts["more"]]
    assert facts["sums"][-1] > advice.verdict.facts["usable"]
    assert "Mistral-7B-v0.3" in render(advice, language).title


@pytest.mark.parametrize("changed", [{"seen_gib": None}, {"seen_gib": 12.0}, {"seen_gib": 32.0}, {"models": ()}])
def test_a_reading_that_explains_nothing_is_not_reckoned_from(changed: dict[str, Any]) -> None:
    """Too little for the other model, or so little that this one would fit beside it."""
    assert ask(**{**GALORE, **OWN, "seen_gib": 58.0, **changed}).verdict.code != "another"


@LANGUAGES
def test_what_runs_without_packing_is_the_real_need(language: str) -> None:
    advice = ask(**PACKED, tried_allocate_gib=340.0, seen_gib=55.0, packing=False)
    assert advice.verdict.facts["like"] == "lean_full"
    assert advice.asks is None
    text = render(advice, language).text
    assert {"en": "your 55.0 GiB", "de": "Deine 55,0 GiB"}[language] in text
    assert "138" not in text
    assert "QLoRA ·" not in text
    assert ask(**PACKED, tried_allocate_gib=340.0, seen_gib=20.0).verdict.facts["like"] == "lora"
    assert ask(**PACKED, tried_allocate_gib=340.0).verdict.facts["like"] is None


@pytest.mark.parametrize(
    "text",
    [
        "mistral 7b on one A100 80GB tries to allocate 340 GB with sample packing. with packing off it runs at 55gb",
        "ohne packing läuft es mit 55 GB, mit packing will es 340 GB allozieren und stirbt: mistral 7b, A100 80GB",
        "packing: tried to allocate 340 GiB on my A100 80GB, OOM. mistral 7b trains at 55 GB without",
    ],
)
def test_the_block_that_failed_and_the_run_that_works_are_read_apart(text: str) -> None:
    advice = asked(text)
    assert (advice.query.tried_allocate_gib, advice.query.seen_gib) == (340.0, 55.0)
    assert [finding.code for finding in advice.findings][:1] == ["huge_block"]
    assert "packing_fills" not in [finding.code for finding in advice.findings]


def test_a_traceback_has_no_run_that_works() -> None:
    text = (
        "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23.69 GiB total capacity; 20.1 GiB already allocated)"
    )
    assert asked(f"llama 8b qlora: {text}").query.seen_gib is None


@LANGUAGES
def test_a_figure_of_several_cards_is_said_to_be_one(language: str) -> None:
    """ "The readme says 40 GB": less than all weights take on this one card."""
    several = ask(**GRPO, claimed_gib=40.0, gpus=cards("l20"))
    assert several.verdict.facts["of_several"] is True
    title = render(several, language).title
    assert {"en": "With all weights trained", "de": "Mit allen Gewichten"}[language] in title
    assert several.rungs == ()
    assert ask(**GRPO, claimed_gib=40.0, gpus=cards("h100-sxm")).verdict.facts["of_several"] is False
    assert ask(**GRPO, gpus=cards("l20")).verdict.facts["of_several"] is False


def test_activations_off_the_card_and_no_word_of_adapters_mean_every_weight() -> None:
    mpt = {"params_b": 7.0, "compute_dtype": "bf16", "grad_checkpointing": True, "offload": "activations"}
    assert case(kind="oom_help", **mpt).method == "full"
    for changed in ({"method": "lora"}, {"compute_dtype": None}, {"grad_checkpointing": None}, {"trainer": "unsloth"}):
        assert case(kind="oom_help", **{**mpt, **changed}).method != "full"


@LANGUAGES
def test_states_are_named_as_what_no_setting_shrinks_and_what_others_train(language: str) -> None:
    full = {"params_b": 7.0, "method": "full", "micro_batch": 1, "gpus": cards("a100-80gb-sxm")}
    text = render(ask(**full, optimizer="adamw", symptoms=("oom_step", "works_for_others")), language).text
    assert {"en": "several cards", "de": "mehrere Karten"}[language] in text
    assert {"en": "checkpointing or activation offload shrinks", "de": "ausgelagerte Aktivierungen"}[language] in text
    alone = render(ask(**full, optimizer="adamw", symptoms=("oom_step",)), language).text
    assert {"en": "trains on one such card", "de": "auf einer solchen Karte läuft"}[language] not in alone


def test_qlora_with_fsdp_and_lora_with_zero_3_are_two_runs() -> None:
    llama = {"model": "meta-llama/Llama-3.1-70B", "method": "qlora", "gpus": cards("a100-80gb-sxm", 8)}
    both = {"sharding": "fsdp", "named": {"method": ("qlora", "lora"), "sharding": ("fsdp", "zero3")}}
    assert zero3_with_4_bit.check(case(kind="oom_help", **llama, **both, symptoms=("oom_step",))) is None
    one = {"sharding": "fsdp", "named": {"sharding": ("fsdp", "zero3")}}
    assert zero3_with_4_bit.check(case(kind="oom_help", **llama, **one, symptoms=("oom_step",))) is not None


def test_where_the_logits_fill_the_card_they_are_named_and_not_the_rest() -> None:
    gemma = {"model": "google/gemma-3-12b-it", "method": "lora", "weight_bits": 8.0, "gpus": cards("h100-sxm")}
    told = {"claims": ("weights_are_all",), "symptoms": ("oom_step",)}
    long = weights_are_all.check(
        case(kind="context_length", **gemma, **told, seq_len=122_880, tokens_per_example=28_672)
    )
    assert long is not None
    assert (long.facts["tokens"], long.facts["vocab"]) == (28_672, 262_208)
    assert long.facts["one"] == 4 * 28_672 * 262_208
    short = weights_are_all.check(case(kind="context_length", **gemma, **told, seq_len=2048))
    assert short is not None
    assert short.facts["logits"] is None

"""The figures of an answer on a failed run rest on one another: parts add up, and each says what it rests on."""

import pytest

from advisor.advice import Need
from advisor.case import Case
from advisor.topics.oom_help.facts import REST, largest_parts
from bot.renderer import render
from tests.advisor.rules.ask import card, cards, case

ASKED = {"kind": "oom_help", "symptoms": ("oom_step",)}


@pytest.mark.parametrize("method", ["qlora", "lora", "full"])
@pytest.mark.parametrize("model", ["mistralai/Mixtral-8x7B-v0.1", "google/gemma-2b", "openai-community/gpt2-xl"])
def test_named_parts_and_the_rest_add_up(model: str, method: str) -> None:
    for need in case(**ASKED, model=model, method=method, gpus=cards("a100-80gb-sxm", 8)).needs():
        parts = largest_parts(need)
        assert sum(size for _, size in parts) == need.device
        assert parts[-1][0] == REST


def test_nothing_is_left_where_all_is_named() -> None:
    need = Need(
        stack="stock", trainer="hf", device=3, low=3, high=3, allocated=3, reserved=3, components={"weights": 3}
    )
    assert largest_parts(need) == [["weights", 3]]


@pytest.mark.parametrize(
    ("slots", "basis"),
    [
        ({}, "full_adamw"),
        ({"optimizer": "adafactor"}, "master_fp32"),
        ({"trainer": "deepspeed", "sharding": "zero3"}, "adamw"),
        ({"trainer": "llama-factory", "optimizer": "adamw_8bit"}, "adamw_8bit"),
    ],
)
def test_a_figure_for_every_weight_says_its_optimizer(slots: dict[str, str], basis: str) -> None:
    asked = case(**ASKED, params_b=8.0, method="full", gpus=cards("a100-80gb-sxm", 2), **slots)
    assert asked.advice is not None
    assert asked.advice.verdict.facts["basis"] == basis


def test_only_experts_that_stay_in_16_bit_make_a_range_that_helps_nobody() -> None:
    grpo = {"kind": "oom_help", "symptoms": ("oom_generate",), "algorithm": "grpo"}
    fused = case(**grpo, model="openai/gpt-oss-120b", gpus=(card("b200"),))
    dense = case(**grpo, model="Qwen/Qwen2.5-0.5B", gpus=(card("a100-80gb-sxm"),))
    wide = [asked.advice.verdict.facts["wide"] for asked in (fused, dense) if asked.advice]
    assert wide == [True, False]


def test_the_length_that_is_called_the_limit_is_the_cards_not_the_models() -> None:
    """22 of 44 GiB at the 8,192 tokens that Llama 3 was made for: those are no limit; longer documents may be."""
    asked = {"kind": "oom_help", "symptoms": ("oom_step",), "method": "qlora", "sharding": "fsdp"}
    made = case(**asked, model="meta-llama/Meta-Llama-3-8B", seq_len=8192, gpus=cards("a40", 4))
    assert made.advice is not None
    assert made.advice.verdict.code == "should_fit"
    assert made.advice.verdict.facts["limit"] > 10_000
    old = case(kind="oom_help", symptoms=("oom_step",), model="openai-community/gpt2", gpus=cards("v100-16gb"))
    assert old.advice is not None
    assert old.advice.verdict.facts.get("limit") is None


def test_what_still_fits_is_no_suspect() -> None:
    """13B in full over ten cards: the default batch fills 38.2 of 39.4 GiB, which explains no failure."""
    slots = {"kind": "oom_help", "symptoms": ("oom_step",), "params_b": 13.0, "method": "full", "seq_len": 2048}
    made = case(**slots, gpus=cards("a100-40gb-pcie", 10))
    assert made.advice is not None
    suspects = made.advice.verdict.facts["suspects"]
    assert suspects
    sizes = [suspect["bytes"] for suspect in suspects if suspect["why"] in ("batch", "checkpointing", "gpu0")]
    assert all(size > (made.usable or 0) for size in sizes)


def test_batch_1_with_more_accumulation_is_the_same_step() -> None:
    later = {"kind": "oom_help", "symptoms": ("oom_step", "oom_later"), "model": "meta-llama/Meta-Llama-3-8B"}
    run = {"method": "lora", "seq_len": 8192, "micro_batch": 6, "sharding": "zero3", "gpus": cards("a100-80gb-sxm", 8)}
    for language, words in (("en", "With accumulation 48, batch 1"), ("de", "Mit Accumulation 48 lernt Batch 1")):
        assert words in in_text(case(**later, **run, grad_accum=8), language)
    unsaid = case(**later, **run)
    assert unsaid.advice is not None
    assert unsaid.advice.verdict.facts["accumulated"] is None


@pytest.mark.parametrize(("packing", "longer"), [(True, False), (None, True)])
def test_packed_rows_are_never_longer_than_the_rest(packing: bool | None, *, longer: bool) -> None:
    run = {"kind": "oom_help", "symptoms": ("asks_parts",), "seen_gib": 14.0, "seq_len": 4096, "micro_batch": 2}
    asked = case(**run, packing=packing, params_b=7.0, method="qlora", gpus=cards("rtx-4060-ti-16gb", 1))
    assert "The rest is" in in_text(asked, "en")
    assert ("longer batches" in in_text(asked, "en")) is longer
    assert ("längere Batches" in in_text(asked, "de")) is longer


def in_text(asked: Case, language: str) -> str:
    assert asked.advice is not None
    return str(render(asked.advice, language))

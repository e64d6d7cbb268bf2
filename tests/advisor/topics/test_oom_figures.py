"""The figures of an answer on a failed run rest on one another: parts add up, and each says what it rests on."""

import pytest

from advisor.advice import Need
from advisor.topics.oom_help.facts import REST, largest_parts
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

"""The rule moe_is_slow."""

from advisor.rules import moe_is_slow, not_memory
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    made = case(model="Qwen/Qwen3-30B-A3B", kind="fits_check", gpus=cards("a100-80gb-sxm"), symptoms=("slow",))
    assert moe_is_slow.check(made) is not None


def test_silent() -> None:
    made = case(model="Qwen/Qwen3-30B-A3B", kind="fits_check", gpus=cards("a100-80gb-sxm"))
    assert moe_is_slow.check(made) is None


def test_a_card_that_idles_waits_for_the_experts() -> None:
    slots = {"kind": "time_estimate", "gpus": cards("rtx-4090"), "symptoms": ("low_use",)}
    made = case(model="Qwen/Qwen3-30B-A3B", **slots)
    found = moe_is_slow.check(made)
    assert found is not None
    assert found.facts["waits"]
    assert not_memory.check(made) is None
    assert not_memory.check(case(model="Qwen/Qwen3-8B", **slots)) is not None


def test_speaks_of_experts_beside_a_dense_model() -> None:
    slots = {"kind": "time_estimate", "model": "Qwen/Qwen3-14B"}
    assert moe_is_slow.check(case(symptoms=("counts_active", "slow"), **slots)) is not None
    assert moe_is_slow.check(case(symptoms=("slow",), **slots)) is None


def test_who_expects_speed_of_few_active_parameters_is_told() -> None:
    slots = {"kind": "time_estimate", "model": "Qwen/QwQ-32B"}
    assert moe_is_slow.check(case(symptoms=("counts_active", "expects_speed"), **slots)) is not None
    assert moe_is_slow.check(case(symptoms=("expects_speed",), **slots)) is None
    mixture = {"kind": "compare_gpus", "model": "Qwen/Qwen3-30B-A3B"}
    assert moe_is_slow.check(case(symptoms=("expects_speed",), **mixture)) is None

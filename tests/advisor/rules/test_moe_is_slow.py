"""The rule moe_is_slow."""

from advisor.rules import moe_is_slow
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    made = case(model="Qwen/Qwen3-30B-A3B", kind="fits_check", gpus=cards("a100-80gb-sxm"), symptoms=("slow",))
    assert moe_is_slow.check(made) is not None


def test_silent() -> None:
    made = case(model="Qwen/Qwen3-30B-A3B", kind="fits_check", gpus=cards("a100-80gb-sxm"))
    assert moe_is_slow.check(made) is None

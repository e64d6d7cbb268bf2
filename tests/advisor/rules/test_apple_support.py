"""The rule apple_support."""

from advisor.rules import apple_support
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = apple_support.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("apple-m4-max")))
    assert found is not None


def test_silent_on_nvidia() -> None:
    assert apple_support.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"))) is None

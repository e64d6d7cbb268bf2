"""The rule intel_mac."""

from advisor.rules import intel_mac
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    made = case(kind="fits_check", os="macos", unknown={"gpus": "Radeon Pro 5500M"})
    assert intel_mac.check(made) is not None


def test_silent() -> None:
    made = case(kind="fits_check", os="macos", gpus=cards("apple-m4-pro"))
    assert intel_mac.check(made) is None

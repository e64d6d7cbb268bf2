"""The rule intel_mac."""

from advisor.rules import intel_mac
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    made = case(kind="fits_check", os="macos", unknown={"gpus": "Radeon Pro 5500M"})
    assert intel_mac.check(made) is not None


def test_silent() -> None:
    made = case(kind="fits_check", os="macos", gpus=cards("apple-m4-pro"))
    assert intel_mac.check(made) is None


def test_silent_where_a_card_for_another_machine_stands_beside_the_mac() -> None:
    made = case(kind="compare_gpus", os="macos", gpus=cards("rtx-3060-12gb"))
    assert intel_mac.check(made) is None

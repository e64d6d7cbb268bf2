"""The rule eight_bit_is_slow."""

from advisor.rules import eight_bit_is_slow
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = eight_bit_is_slow.check(case(params_b=7.0, kind="method_choice", weight_bits=8))
    assert found is not None


def test_silent_in_4_bit() -> None:
    assert eight_bit_is_slow.check(case(params_b=7.0, kind="method_choice", weight_bits=4)) is None

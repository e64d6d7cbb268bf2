"""The rule tokens_are_chars."""

from advisor.rules import tokens_are_chars
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = tokens_are_chars.check(case(kind="data_size_quality", claims=("tokens_are_chars",)))
    assert found is not None


def test_silent_without_it() -> None:
    assert tokens_are_chars.check(case(kind="data_size_quality")) is None

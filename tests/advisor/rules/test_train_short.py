"""The rule train_short."""

from advisor.rules import train_short
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    assert train_short.check(case(kind="context_length", params_b=13.0, symptoms=("short_training",))) is not None


def test_silent_unasked() -> None:
    assert train_short.check(case(kind="context_length", params_b=13.0)) is None

"""The rule epoch_boundary."""

from advisor.rules import epoch_boundary
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    assert epoch_boundary.check(case(kind="oom_help", symptoms=("oom_step", "oom_at_epoch"))) is not None


def test_silent_elsewhere() -> None:
    assert epoch_boundary.check(case(kind="oom_help", symptoms=("oom_later",))) is None

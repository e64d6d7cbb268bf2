"""The rule batch_finder."""

from advisor.rules import batch_finder
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = batch_finder.check(
        case(kind="oom_help", method="full", seq_len=20_000, symptoms=("oom_step", "no_batch_left"))
    )
    assert found is not None
    assert (found.gravity, found.facts["full"], found.facts["tokens"]) == ("stop", True, 20_000)


def test_silent_on_a_plain_failure() -> None:
    assert batch_finder.check(case(kind="oom_help", method="full", symptoms=("oom_step",))) is None

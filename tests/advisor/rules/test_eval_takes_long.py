"""The rule eval_takes_long."""

from advisor.rules import eval_takes_long
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    assert eval_takes_long.check(case(kind="oom_help", symptoms=("oom_eval", "eval_takes_long"))) is not None


def test_silent_where_it_only_dies() -> None:
    assert eval_takes_long.check(case(kind="oom_help", symptoms=("oom_eval",))) is None

"""The rule eval_generates."""

from advisor.rules import eval_generates
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    assert eval_generates.check(case(kind="oom_help", symptoms=("oom_eval", "eval_generates"))) is not None


def test_silent_where_only_the_loss_is_evaluated() -> None:
    assert eval_generates.check(case(kind="oom_help", symptoms=("oom_eval",))) is None

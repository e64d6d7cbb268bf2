"""The rule compile_costs."""

from advisor.rules import compile_costs
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    assert compile_costs.check(case(kind="oom_help", symptoms=("oom_step", "asks_compile"))) is not None


def test_silent_without_it() -> None:
    assert compile_costs.check(case(kind="oom_help", symptoms=("oom_step",))) is None

"""The rule precision_off."""

from advisor.rules import precision_off
from tests.advisor.rules.ask import case


def test_it_is_the_reason_where_the_run_died() -> None:
    died = precision_off.check(case(params_b=8, kind="oom_help", symptoms=("oom_step", "precision_off")))
    assert died is not None
    assert died.gravity == "stop"
    assert not died.facts["no_bf16"]


def test_silent_without_it() -> None:
    assert precision_off.check(case(params_b=8, kind="oom_help", symptoms=("oom_step",))) is None

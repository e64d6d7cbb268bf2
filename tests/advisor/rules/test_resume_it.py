"""The rule resume_it."""

from advisor.rules import resume_it
from tests.advisor.rules.ask import cards, case

DIED = {"kind": "oom_help", "params_b": 7.0, "gpus": cards("rtx-3090")}


def test_says_that_it_goes_on() -> None:
    assert resume_it.check(case(symptoms=("oom_later", "start_over"), **DIED)) is not None


def test_silent_unasked() -> None:
    assert resume_it.check(case(symptoms=("oom_later",), **DIED)) is None
    money = case(kind="cost_buy_vs_rent", gpus=cards("rtx-3090"), budget=700.0, symptoms=("start_over",))
    assert resume_it.check(money) is None  # it is begun anew already

"""The rule works_for_others."""

from advisor.rules import works_for_others
from tests.advisor.rules.ask import cards, case

GPT2 = {"kind": "oom_help", "model": "openai-community/gpt2", "gpus": cards("v100-16gb"), "micro_batch": 2}


def test_the_ends_lie_a_multiple_apart() -> None:
    found = works_for_others.check(case(**GPT2, symptoms=("oom_step", "works_for_others")))
    assert found is not None
    assert found.facts["high"] > 2 * found.facts["low"]
    assert found.facts["length"] == 1024


def test_silent_where_nothing_failed() -> None:
    assert works_for_others.check(case(**GPT2, symptoms=("works_for_others",))) is None


def test_silent_where_nobody_else_is_told_of() -> None:
    assert works_for_others.check(case(**GPT2, symptoms=("oom_step",))) is None


def test_silent_where_evaluation_is_the_peak() -> None:
    assert works_for_others.check(case(**GPT2, symptoms=("oom_eval", "works_for_others"))) is None

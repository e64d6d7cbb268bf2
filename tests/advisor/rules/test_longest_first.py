"""The rule longest_first."""

import pytest

from advisor.rules import longest_first
from tests.advisor.rules.ask import cards, case

SLOW = {"kind": "oom_help", "params_b": 7.0, "gpus": cards("rtx-a6000"), "symptoms": ("oom_later", "tests_slowly")}


def test_speaks_and_names_the_long_example() -> None:
    found = longest_first.check(case(**SLOW))
    assert found is not None
    assert found.facts == {"died": True, "rollouts": False}


def test_speaks_of_prompts_where_answers_are_generated() -> None:
    found = longest_first.check(case(**SLOW, algorithm="grpo"))
    assert found is not None
    assert found.facts["rollouts"]


@pytest.mark.parametrize("other", ["oom_eval", "oom_save"])
def test_silent_where_the_step_is_not_the_peak(other: str) -> None:
    assert longest_first.check(case(**(SLOW | {"symptoms": (other, "tests_slowly")}))) is None


def test_silent_unasked() -> None:
    assert longest_first.check(case(**(SLOW | {"symptoms": ("oom_later",)}))) is None

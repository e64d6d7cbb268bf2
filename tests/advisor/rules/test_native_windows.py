"""The rule native_windows."""

import pytest

from advisor.rules import native_windows
from tests.advisor.rules.ask import cards, case


@pytest.mark.parametrize(("trainer", "runs"), [("unsloth", "yes"), ("trl", "yes"), ("axolotl", "no")])
def test_says_whether_the_trainer_runs_without_wsl(trainer: str, runs: str) -> None:
    found = native_windows.check(case(kind="trainer_choice", trainer=trainer, os="windows", symptoms=("asks_wsl",)))
    assert found is not None
    assert found.facts["runs"] == runs


def test_several_cards_need_it_anyway() -> None:
    slots = {"trainer": "unsloth", "os": "windows", "gpus": cards("rtx-3090", 2), "params_b": 8.0}
    found = native_windows.check(case(kind="trainer_choice", symptoms=("asks_wsl",), **slots))
    assert found is not None
    assert found.facts["several"]


def test_silent_without_a_trainer_on_linux_and_unasked() -> None:
    assert native_windows.check(case(kind="trainer_choice", os="windows", symptoms=("asks_wsl",))) is None
    on_linux = case(kind="trainer_choice", trainer="unsloth", os="linux", symptoms=("asks_wsl",))
    assert native_windows.check(on_linux) is None
    assert native_windows.check(case(kind="trainer_choice", trainer="unsloth", os="windows")) is None


def test_where_nothing_is_sized_no_need_is_told() -> None:
    found = native_windows.check(case(kind="trainer_choice", trainer="axolotl", os="windows", symptoms=("asks_wsl",)))
    assert found is not None
    assert found.facts["need"] is None

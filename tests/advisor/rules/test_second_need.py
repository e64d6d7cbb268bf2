"""The rule second_need."""

from typing import Any

import pytest

from advisor.rules import second_need
from tests.advisor.rules.ask import cards, case

EIGHT_B: dict[str, Any] = {"params_b": 8.0, "method": "qlora", "gpus": cards("rtx-3090")}


@pytest.mark.parametrize(
    ("kind", "also", "what"),
    [
        ("time_estimate", "fits_check", "fits"),
        ("data_size_quality", "which_gpu", "fits"),
        ("data_size_quality", "time_estimate", "time"),
        ("time_estimate", "data_size_quality", "data"),
        ("oom_help", "data_size_quality", "data"),
        ("time_estimate", "trainer_choice", "trainer"),
    ],
)
def test_speaks(kind: str, also: str, what: str) -> None:
    found = second_need.check(case(kind=kind, also=also, **EIGHT_B))
    assert found is not None
    assert found.facts["what"] == what


def test_says_what_the_asker_s_number_is_worth() -> None:
    found = second_need.check(case(kind="oom_help", also="data_size_quality", dataset_examples=300, **EIGHT_B))
    assert found is not None
    assert found.facts["code"] == "small"


def test_silent_without_a_second_need_and_where_memory_comes_first() -> None:
    assert second_need.check(case(kind="time_estimate", **EIGHT_B)) is None
    assert second_need.check(case(kind="fits_check", also="time_estimate", **EIGHT_B)) is None
    assert second_need.check(case(kind="time_estimate", also="trainer_choice", trainer="trl", **EIGHT_B)) is None


def test_a_card_beside_the_data_is_judged_unasked() -> None:
    found = second_need.check(case(kind="data_size_quality", dataset_examples=2000, **EIGHT_B))
    assert found is not None
    assert (found.facts["what"], found.facts["fit"]) == ("fits", "yes")
    assert second_need.check(case(kind="data_size_quality", dataset_examples=2000, params_b=8.0)) is None


def test_examples_are_judged_beside_what_fits() -> None:
    found = second_need.check(case(kind="fits_check", also="data_size_quality", dataset_examples=500, **EIGHT_B))
    assert found is not None
    assert (found.facts["what"], found.facts["code"]) == ("data", "small")
    assert second_need.check(case(kind="fits_check", also="data_size_quality", **EIGHT_B)) is None

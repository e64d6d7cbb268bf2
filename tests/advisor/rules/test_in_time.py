"""The rule in_time."""

import pytest

from advisor.rules import in_time
from tests.advisor.rules.ask import cards, case

RUN = {"params_b": 8.0, "method": "qlora", "gpus": cards("rtx-3090")}


@pytest.mark.parametrize(
    ("examples", "symptom", "done"),
    [
        (1_000, "until_morning", "yes"),
        (10_000, "until_morning", "some"),
        (400_000, "until_morning", "no"),
        (60_000, "at_weekend", "some"),
    ],
)
def test_whether_it_is_done_by_then(examples: int, symptom: str, done: str) -> None:
    found = in_time.check(case(kind="fits_check", dataset_examples=examples, symptoms=(symptom,), **RUN))
    assert found is not None
    assert found.gravity == "warn"
    assert found.facts["done"] == done
    longest = found.facts["hours"][1]
    assert (longest <= found.facts["window"][0]) == (done == "yes")


def test_a_stated_number_of_hours_wins_and_leads_where_time_is_the_question() -> None:
    asked = case(kind="time_estimate", dataset_examples=1_000, took_hours=6.0, symptoms=("until_morning",), **RUN)
    found = in_time.check(asked)
    assert found is not None
    assert (found.gravity, found.facts["window"]) == ("stop", (6.0, 6.0))
    assert asked.advice is not None
    assert asked.advice.verdict.facts["judged"] is None  # nothing ran yet


def test_without_data_it_says_how_much_gets_through() -> None:
    found = in_time.check(case(kind="time_estimate", took_hours=8.0, symptoms=("asks_through",), **RUN))
    assert found is not None
    low, high = found.facts["through"]
    assert 0 < low < high
    assert found.facts["examples"][0] == pytest.approx(low / found.facts["each"])
    assert in_time.check(case(kind="fits_check", symptoms=("within_days",), **RUN)) is None  # nothing is to be done


def test_silent_of_a_run_that_was() -> None:
    told = {"dataset_examples": 1_000, "took_hours": 9.0, **RUN}
    assert in_time.check(case(kind="time_estimate", symptoms=("until_morning", "asks_normal"), **told)) is None
    assert in_time.check(case(kind="oom_help", symptoms=("until_morning", "oom_step"), **told)) is None
    assert in_time.check(case(kind="time_estimate", **told)) is None
    slow = case(kind="time_estimate", symptoms=("until_morning", "slow"), epochs=3.0, **told)
    assert slow.advice is not None
    assert slow.advice.verdict.facts["judged"] == "too_slow"

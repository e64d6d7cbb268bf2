"""The rule bill_of_a_run."""

from typing import Any

import pytest

from advisor.rules import bill_of_a_run
from tests.advisor.rules.ask import cards, case

RUN: dict[str, Any] = {
    "params_b": 15.0,
    "method": "full",
    "kind": "cost_buy_vs_rent",
    "gpus": cards("a100-80gb-sxm", 8),
    "hourly": {"a100-80gb-sxm": 1.5},
    "took_hours": 15.5,
}


def test_hours_times_the_price_of_all_cards() -> None:
    found = bill_of_a_run.check(case(**RUN))
    assert found is not None
    assert found.facts["bill"] == pytest.approx((186.0, 186.0))
    assert found.facts["plan"][0] > 186.0 * 1.2
    assert found.facts["one"]


@pytest.mark.parametrize(("claimed", "right"), [(190.0, True), (500.0, False), (None, None)])
def test_a_sum_of_ones_own_is_judged(claimed: float | None, right: bool | None) -> None:
    found = bill_of_a_run.check(case(**RUN, budget=claimed, currency="USD"))
    assert found is not None
    assert found.facts["right"] is right


def test_silent_without_hours_or_with_data() -> None:
    assert bill_of_a_run.check(case(**RUN | {"took_hours": None})) is None
    assert bill_of_a_run.check(case(**RUN, dataset_examples=10_000)) is None

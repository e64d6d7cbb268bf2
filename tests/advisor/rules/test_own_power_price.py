"""The rule own_power_price."""

import pytest

from advisor.rules import own_power_price
from tests.advisor.rules.ask import cards, case

RUN = {"kind": "cost_buy_vs_rent", "gpus": cards("rtx-3090"), "took_hours": 6.0}


def test_reckons_with_the_askers_price() -> None:
    found = own_power_price.check(case(named={"per_kwh": ("0.35", "EUR", "")}, **RUN))
    assert found is not None
    assert found.facts["spent"][0] == pytest.approx(0.35 * found.facts["kwh"])
    assert (found.facts["currency"], found.facts["month"]) == ("EUR", None)
    assert found.facts["rent"][0] > found.facts["spent"][0]
    assert found.facts["cheaper"]


def test_a_currency_far_from_the_dollar_is_not_compared() -> None:
    found = own_power_price.check(case(named={"per_kwh": ("1.5", "INR", "")}, **RUN))
    assert found is not None
    assert not found.facts["cheaper"]


def test_hours_of_a_day_make_a_month() -> None:
    found = own_power_price.check(case(named={"per_kwh": ("0.4", "EUR", "day")}, **RUN))
    assert found is not None
    assert found.facts["month"][0] == pytest.approx(30 * found.facts["spent"][0])


def test_silent_without_a_price_or_hours() -> None:
    assert own_power_price.check(case(**RUN)) is None
    no_hours = {**RUN, "took_hours": None}
    assert own_power_price.check(case(named={"per_kwh": ("0.35", "EUR", "")}, **no_hours)) is None

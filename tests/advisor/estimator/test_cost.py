"""Money: only dated quotes, and break-even that follows the prices."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from advisor.estimator.cost import (
    PriceRange,
    break_even_hours,
    buy_or_rent,
    job_usd,
    job_usd_at_home,
    month_of,
    power_kw,
    power_usd_per_hour,
    price_of,
    price_range,
)
from advisor.estimator.speed import Range
from knowledge.catalog import load_catalog
from knowledge.schemas import Price

CATALOG = load_catalog()


def quote(price, date="2026-05", trust="medium", kind="cloud", **more):
    return Price(
        gpu="x",
        kind=kind,
        price=price,
        provider="p",
        date=date,
        source=f"https://{float(price)}",
        trust=trust,
        **more,
    )


def a_range(mid, spread=1.0):
    return PriceRange(mid / spread, mid, mid * spread, "cloud", "2026-05", ("s",), "p", "medium", 1)


@pytest.mark.parametrize(
    ("date", "month"), [("2026", 2026 * 12 + 1), ("2026-05", 2026 * 12 + 5), ("2026-12-31", 2026 * 12 + 12)]
)
def test_months(date, month):
    assert month_of(date) == month


def test_old_and_doubtful_quotes_are_left_out():
    found = price_range(
        [quote(9, "2025-06"), quote(1, "2026-04"), quote(2, "2026-05"), quote(50, trust="low")], ["cloud"]
    )
    assert (found.low, found.high, found.quotes) == (1, 2, 2)


def test_the_middle_quote_carries_its_own_date_and_source():
    found = price_range([quote(1), quote(2, "2026-03"), quote(9)], ["cloud"])
    assert (found.mid, found.date, found.source) == (2, "2026-03", ("https://2.0",))


def test_offers_that_end_in_the_middle_of_a_run_do_not_count():
    assert price_range([quote(0.1, tier="spot"), quote(1)], ["cloud"]).low == 1
    assert price_range([quote(0.1, tier="spot")], ["cloud"]).low == 0.1


def test_without_a_quote_there_is_no_price():
    assert price_range([], ["cloud"]) is None
    assert price_of(CATALOG, "no-such-card", "cloud") is None
    assert buy_or_rent(CATALOG, "no-such-card") is None


def test_a_used_3090_has_a_dated_price_from_the_catalog():
    found = price_of(CATALOG, "rtx-3090", "used")
    assert 300 < found.low <= found.mid <= found.high < 2_000
    assert found.date.startswith("2026")
    assert found.source


@pytest.mark.parametrize("gpu", [g for g in CATALOG.gpus if CATALOG.prices_of(g)])
def test_every_catalogued_price_range_is_ordered_and_sourced(gpu):
    for kind in ("cloud", "used", "retail"):
        if (found := price_of(CATALOG, gpu, kind)) is not None:
            assert 0 < found.low <= found.mid <= found.high
            assert found.date
            assert found.source


def test_power():
    gpu = CATALOG.gpus["rtx-3090"]
    assert power_kw(gpu, 2) == pytest.approx((2 * 350 * 0.9 + 120) / 1000)
    assert power_usd_per_hour(gpu, 2, 0.4) == pytest.approx(0.4 * power_kw(gpu, 2))
    assert power_kw(gpu.model_copy(update={"tdp_w": None})) is None


def test_break_even_by_hand():
    even = break_even_hours(a_range(800), a_range(0.25), power_usd=0.13, resale_share=0.5)
    assert even.mid == pytest.approx(400 / 0.12)


prices = st.floats(10, 50_000)
rents = st.floats(0.01, 20)


@given(buy=prices, rent=rents, power=st.floats(0, 2), more=st.floats(1, 10), spread=st.floats(1, 2))
def test_break_even_is_monotone_in_the_prices(buy, rent, power, more, spread):
    base = break_even_hours(a_range(buy, spread), a_range(rent, spread), power)
    assume(base is not None and math.isfinite(base.mid))
    assert base.low <= base.mid <= base.high
    assert break_even_hours(a_range(buy * more, spread), a_range(rent, spread), power).mid >= base.mid
    assert break_even_hours(a_range(buy, spread), a_range(rent * more, spread), power).mid <= base.mid
    dearer = break_even_hours(a_range(buy, spread), a_range(rent, spread), power * more)
    assert dearer is None or dearer.mid >= base.mid


@given(buy=prices, rent=rents, power=st.floats(0, 40))
def test_renting_below_the_price_of_power_never_breaks_even(buy, rent, power):
    even = break_even_hours(a_range(buy), a_range(rent), power)
    assert (even is None) == (rent <= power)


def test_buy_or_rent_of_a_3090_is_thousands_of_hours():
    found = buy_or_rent(CATALOG, "rtx-3090", used=True)
    assert found.break_even_hours.low > 1_000
    assert found.buy.date
    assert found.rent.date


def test_cost_of_a_job():
    assert job_usd(Range(1, 2, 4), a_range(0.5, 2), 2) == Range(0.5, 2, 8)
    at_home = job_usd_at_home(Range(1, 2, 4), CATALOG.gpus["rtx-3090"])
    assert at_home.mid == pytest.approx(2 * power_usd_per_hour(CATALOG.gpus["rtx-3090"]))

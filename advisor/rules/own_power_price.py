"""Electricity at the price that the asker pays for it, for the hours that are named, and the rent for as many.

Source: estimator.cost (power limit, its share under load, the rest of the PC).
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.estimator.cost import power_kw
from advisor.options import price_to_rent
from advisor.query import Kind

DAYS = 30
WEEK = 7
LIKE_DOLLARS = frozenset({"USD", "EUR", "GBP", "CHF"})
"""Currencies near enough to the dollar, in which rents are known, for the lesser sum to be the lesser one."""
NOT_OF_MONEY = frozenset({Kind.OOM_HELP, Kind.OFF_TOPIC, Kind.INFERENCE_ONLY})

ON = ("named",)


def check(case: Case) -> Finding | None:
    """Kilowatt-hours and their cost; by the month where the hours are those of a day."""
    said = case.query.named.get("per_kwh", ())
    if not said or case.gpu is None or case.query.kind in NOT_OF_MONEY or case.query.budget:
        return None
    price, currency, daily = float(said[0]), said[1] or case.query.currency or "USD", bool(said[2])
    week = case.query.hours_per_week
    hours = week / WEEK if week else case.query.took_hours
    kw = power_kw(case.gpu, case.n_cards)
    if not hours or kw is None:
        return None
    spent = hours * kw * price
    month = DAYS * spent if daily or week else None
    rent = _rent(case, hours * (DAYS if month else 1))
    return stop(
        hours=hours,
        kwh=hours * kw,
        watts=1000 * kw,
        price=(price, price),
        spent=(spent, spent),
        month=(month, month) if month else None,
        currency=currency,
        rent=rent,
        cheaper=rent is not None and (month or spent) < rent[0] and currency in LIKE_DOLLARS,
        **case.where,
    )


def _rent(case: Case, hours: float) -> tuple[float, float] | None:
    """USD for as many hours of as many such cards; None without a dated price."""
    price = price_to_rent(case.catalog, case.gpu.id) if case.gpu else None
    return (hours * case.n_cards * price.low, hours * case.n_cards * price.high) if price else None

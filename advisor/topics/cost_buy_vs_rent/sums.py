"""Sums: when buying pays off, what a budget rents, which offer is the cheaper one."""

from typing import Any

from advisor.advice import PriceTag
from advisor.case import Case
from advisor.estimator import usable_bytes
from advisor.options import CURRENCIES_NEAR_USD
from advisor.stacks import short_name
from advisor.topics.cost_buy_vs_rent.offers import SET_UP_HOURS, Rented
from advisor.topics.sizes import largest_qlora
from knowledge.schemas import Gpu

FOREVER = float("inf")
WEEKS, MONTHS = 52, 12
HALF = 0.5
CLEARLY = 0.7
"""Share of the asked card's cost below which another one is worth a word."""
TWO = 2
MANY_HOURS = 2000
"""Hours of rent beyond which a sum of money is a price: a year of working hours."""
MANY_RUNS = 50
"""Runs below which a card pays off soon enough."""
TRIES = (2, 3)
"""Runs until one is right: a first set of settings rarely is. Ours, from reports of one to several failed starts."""
SOON_YEARS = 2
"""Years within which a card must pay off for buying to be the advice. Ours."""
BUSY_WEEK = 60
"""Hours a week that a person's card trains at most. Ours."""
AS_FAST = 2
"""Times the rented card's hours up to which the own machine is the better choice: it costs electricity alone."""


def break_even(buy: PriceTag, rent: Rented, power: float, count: int = 1) -> tuple[float, float] | None:
    """(fewest, most) hours after which buying so many cards is cheaper, their electricity (USD per hour) counted; None
    if never.
    """
    dear, cheap = rent.price.high * rent.count - power, rent.price.low * rent.count - power
    if dear <= 0:
        return None
    return count * buy.low / dear, count * buy.high / cheap if cheap > 0 else FOREVER


def years(even: tuple[float, float] | None, week: float | None) -> tuple[float, float] | None:
    """Years until buying pays off at so many hours a week."""
    return (even[0] / week / WEEKS, even[1] / week / WEEKS) if even and week else None


def a_month(case: Case) -> float | None:
    """How many runs a month the asker makes."""
    said = case.query.named.get("runs_per_month", ())
    return float(said[0]) if said else None


def week_of(runs: float | None, offer: Rented | None) -> float | None:
    """Hours a week that so many runs a month come to, at the middle of what one takes."""
    return runs * sum(offer.run) / 2 * MONTHS / WEEKS if runs and offer is not None and offer.run else None


def for_runs(runs: float | None, offer: Rented | None) -> tuple[float, float] | None:
    """USD a month for so many rented runs."""
    return (runs * offer.cost[0], runs * offer.cost[1]) if runs and offer is not None and offer.cost else None


def reach(facts: dict[str, Any]) -> tuple[float, float] | None:
    """(fewest, most) examples with which the budget trains every weight on the cards that were named for it: hours are
    asked for, and nobody named the data.
    """
    full, hours = facts["full"], facts["budget_hours"]
    if not full or not hours or not facts["examples_assumed"]:
        return None
    spent = [max(0.0, end - SET_UP_HOURS) for end in hours]
    return facts["examples"] * spent[0] / full["run"][1], facts["examples"] * spent[1] / full["run"][0]


def runs_to_pay(even: tuple[float, float] | None, took: float | None) -> tuple[float, float] | None:
    """Runs of so many hours after which a card at the named price is cheaper; None where it never is, or soon."""
    if not even or not took or even[1] == FOREVER or even[0] < MANY_RUNS * took:
        return None
    return even[0] / took, even[1] / took


def weekly(even: tuple[float, float] | None) -> tuple[float, float] | None:
    """Hours a week with which buying pays off in the years within which it is the advice; None where hardly anybody
    trains so much.
    """
    if not even or even[1] == FOREVER:
        return None
    week = even[0] / WEEKS / SOON_YEARS, even[1] / WEEKS / SOON_YEARS
    return week if week[1] <= BUSY_WEEK else None


def hours_for(budget: float | None, offer: Rented | None) -> tuple[float, float] | None:
    """Hours that the money rents."""
    if not budget or offer is None:
        return None
    return budget / offer.price.high / offer.count, budget / offer.price.low / offer.count


def for_hours(hours: float | None, offer: Rented | None) -> tuple[float, float] | None:
    """USD for so many hours of a rented card."""
    if not hours or offer is None:
        return None
    return hours * offer.price.low * offer.count, hours * offer.price.high * offer.count


def offered(case: Case, facts: dict[str, Any], first: Rented | None) -> PriceTag | None:
    """What the asker would pay for the card, where the money named is about its price and not for hours of it: half of
    the dated price or more, or, without one, what rents it for very many hours.
    """
    budget = case.query.budget
    if budget is None or case.query.currency not in CURRENCIES_NEAR_USD or not facts["buy"]:
        return None
    price, rent = facts["buy"]["price"], first.price.high if first else FOREVER
    if not facts["card"] or budget < (HALF * price["low"] if price else MANY_HOURS * rent):
        return None
    return PriceTag(kind="offer", low=budget, high=budget, currency=case.query.currency or "USD", date="", source="")


def advised(case: Case, first: Rented | None, facts: dict[str, Any]) -> dict[str, Any]:
    """Rent, run it at home or buy, where the choice is between them, and what it comes to with the tries that fail."""
    cost = first.cost if first else None
    tries = (TRIES[0] * cost[0], TRIES[1] * cost[1]) if cost else None
    own = facts["own"] if len(case.gpus) == 1 else None
    if facts["offered"] and tries and facts["break_even"]:
        soon = first is not None and first.run is not None and TRIES[1] * first.run[1] >= facts["break_even"][0]
        return {"take": None if soon else "rent", "tries": tries}
    if first is None or own is None or first.run is None:
        return {"take": None, "tries": tries}
    slower = sum(own["run"]) > AS_FAST * sum(first.run) or own["from_gb"] is not None
    return {"take": "rent" if slower else "own", "tries": tries}


def which(case: Case, offers: tuple[Rented, ...]) -> dict[str, Any] | None:
    """Of several cards for rent: the cheapest by the run, and the largest; what each trains where no model is named."""
    paid = [offer for offer in offers if offer.cost]
    if len({offer.gpu.id for offer in paid}) < TWO:
        return None
    cheap, large = min(paid, key=lambda o: sum(o.cost or ())), max(paid, key=lambda o: o.gpu.vram_gb)
    return {
        "cheap": short_name(cheap.gpu), "cheap_gb": cheap.gpu.vram_gb, "cheap_cost": cheap.cost,
        "large": short_name(large.gpu), "large_cost": large.cost, "same": cheap is large,
        "up_to": [None if case.sized else largest_qlora(case, usable_bytes(o.gpu)) for o in (cheap, large)],
    }  # fmt: skip


def by_provider(case: Case, offers: tuple[Rented, ...]) -> list[dict[str, Any]]:
    """What a run costs at each of several named providers, the cheapest first; none where the card is the same."""
    best: dict[str, dict[str, Any]] = {}
    for offer in sorted((o for o in offers if o.cost and o.price.provider in case.query.providers), key=_mean):
        best.setdefault(
            offer.price.provider, {"provider": offer.price.provider, "name": short_name(offer.gpu), "cost": offer.cost}
        )
    return list(best.values()) if len({row["name"] for row in best.values()}) > 1 else []


def _mean(offer: Rented) -> float:
    return sum(offer.cost or ())


def cheaper(offers: tuple[Rented, ...]) -> dict[str, Any] | None:
    """A card that does the run of the one asked about for clearly less."""
    paid = [offer for offer in offers if offer.cost]
    least = min(paid, key=lambda offer: sum(offer.cost or ()), default=None)
    if least is None or least is offers[0] or not offers[0].cost or least.cost is None:
        return None
    if sum(least.cost) > CLEARLY * sum(offers[0].cost):
        return None
    return {"name": short_name(least.gpu), "count": least.count, "cost": least.cost, "run": least.run}


def dearer(case: Case, offers: tuple[Rented, ...]) -> dict[str, float] | None:
    """The dearer of the asker's offers for the card that comes first: USD an hour, and how many times as much."""
    told = float(next(iter(case.query.named.get("dearer_hour", ())), 0))
    first = offers[0] if offers else None
    if first is None or first.price.date or not told > first.price.low:
        return None
    return {"price": told, "times": round(told / first.price.low, 1)}


def all_at_once(offers: tuple[Rented, ...]) -> dict[str, Any] | None:
    """The run on all the cards that were named, where one of them comes first."""
    first = offers[0] if offers else None
    many = next((o for o in offers[1:] if first and o.gpu is first.gpu and o.count > first.count), None)
    return {"count": many.count, "run": many.run, "cost": many.cost} if many and many.run and many.cost else None


def ratio(bought: Gpu | None, rented: Gpu) -> float | None:
    """How many times as fast the rented card is on paper (dense bf16), where the two differ."""
    if bought is None or bought is rented:
        return None
    rates = [gpu.bf16_dense_tflops or gpu.fp16_dense_tflops for gpu in (rented, bought)]
    return rates[0] / rates[1] if rates[0] and rates[1] else None

"""Buy or rent? Break-even hours from dated prices and electricity, what a run costs, and privacy (S40).

The cards are the ones asked about; with several, the one for a desk is bought and the one for a data centre rented.

Verdict: owned_fits (it failed on a card that holds it: nothing to pay yet), job (the data is known: what a run costs),
too_small (the card asked about does not hold it), hours (what so many hours cost), budget (hours that the money buys),
week (years until buying pays off), where (the prices of the named providers), compare, power_eats_it (rent costs no
more than electricity), running (two cards to buy: running.py), rent (nothing on record to buy), no_price.
Facts: buy (a CardOption as a mapping), rent [{name, vram_gb, count, price, provider, run, cost, ratio, other}] (hours
and USD of one run; where these are not known the `ratio` of speed over the bought card; whether it is another card),
run_model, run_method, break_even (hours low, high), years, pays_soon (within so few years that buying is the advice),
runs and month (so many a month, and their USD), providers (what a run costs at each of several that were named), reach
(examples that the budget trains every weight with, where nobody named the data), power_usd (per hour), usd_per_kwh,
examples, tokens (where the data are told so), tokens_each, epochs, budget, currency, budget_hours, enough, epoch (hours
of one), dearer {price, times} (another offer of the asker for that card), free (hours of the run on Colab's or
Kaggle's card), cheaper (a card that does it for clearly less), own {name, run, cost,
gb, from_gb, from_fits} (the asker's own machine: hours, USD of electricity; the memory that is counted where it is
sold with less as well, and whether that is enough), take (rent or own, where the own machine could do the job),
tries (USD of two to three runs: the first ones fail), offered (USD that the asker would pay for the card), full {run,
cost} (with every weight trained), disk_gb, unpriced (named providers without a dated price for it), split (the cards
hold it only together), home {name, vram_gb, price, hours} (a card of one's own, where only servers are named),
all_at_once {count, run, cost} (the run on all the named cards, where one of them comes first).
"""

from typing import Any

from advisor.advice import Advice, Need, Verdict
from advisor.case import Case
from advisor.estimator import usable_bytes
from advisor.estimator.cost import USD_PER_KWH, power_usd_per_hour
from advisor.options import CURRENCIES_NEAR_USD, option_of, price_to_buy
from advisor.query import Kind
from advisor.signs import VOLTA
from advisor.stacks import (
    ALONE,
    GOOD,
    STOCK,
    UNSLOTH,
    short_name,
)
from advisor.topics.cost_buy_vs_rent import sums
from advisor.topics.cost_buy_vs_rent.offers import (
    Rented,
    asked_count,
    cost_of,
    desk_cards,
    for_home,
    pair,
    rent_offers,
)
from advisor.topics.cost_buy_vs_rent.running import running_cost
from advisor.topics.cost_buy_vs_rent.runs import (
    CLUSTER,
    SESSION_HOURS,
    disk_gb,
    free_run,
    full_hours,
    need_of,
    need_on,
    own_hours,
)
from advisor.topics.time_estimate import epochs_of, tokens_each, usual_examples
from advisor.topics.usual import ADAPTERS
from knowledge.schemas import Gpu

IN_4_BIT: dict[str, Any] = {"weight_bits": 4.0, **ADAPTERS, **ALONE}
FAILED = frozenset({"oom_step", "oom_later", "oom_load", "growing"})
NO_PROVIDERS = ("market range", "street price")
"""What stands for a provider where a source gives a range over several."""


def answer(case: Case) -> Advice:
    """Advice on buying or renting."""
    if (running := running_cost(case)) is not None:
        return running
    bought, rented = pair(case)
    need = need_of(case)
    offers = rent_offers(case, rented, bought, need)
    first = offers[0] if offers else None
    count = first.count if first and first.gpu is bought else asked_count(case)
    facts = _cards(case, bought, need, count) | _rents(case, bought, offers) | _run(case, need, offers)
    facts |= _money(case, bought, facts, first)
    if facts["offered"]:
        facts["own"] = None  # who names its price does not have it yet
    facts |= sums.advised(case, first, facts) | {"home": _home(case, need, first)}
    facts["reach"] = sums.reach(facts)
    return Advice(
        kind=Kind.COST_BUY_VS_RENT,
        query=case.query,
        verdict=Verdict(code=_code(case, facts), facts=facts),
        setup=case.setup if case.sized else None,
        asks=None if case.sized or facts["runs_to_pay"] else "model",
        offers=("show=prices", "kind=time_estimate", "kind=which_gpu", "method=qlora"),
    )


def _cards(case: Case, bought: Gpu | None, need: Need | None, count: int) -> dict[str, Any]:
    """So many of the card that is bought or at hand, and whether they hold the model."""
    alone, need = need, need_on(case, bought, count, need) if bought else need
    buy = option_of(case, bought, role="buy", price=price_to_buy(case.catalog, bought.id)) if bought else None
    fit = case.fit(need, usable_bytes(bought)) if need and bought and case.gpus else None
    return {
        "buy": buy.model_dump() | {"count": count} if buy else None,
        "card": short_name(bought) if bought and case.gpus else None,
        "count": case.n_cards,
        "further": case.n_cards > 1 or any(card.count > 1 for option in case.query.candidates for card in option),
        "asked_card": {"name": short_name(bought), "count": count} if bought else None,
        "split": need is not alone,
        "lean": need.device if need else None,
        "lean_on": need.stack if need and case.full else None,
        "fit": fit,
        "usable": usable_bytes(bought) if bought else None,
        "qlora": _qlora(case, bought) if fit not in (*GOOD, None) else None,
        "power_usd": power_usd_per_hour(bought, count) if bought else None,
        "usd_per_kwh": USD_PER_KWH,
        "own": _own(case),
    }


def _rents(case: Case, bought: Gpu | None, offers: tuple[Rented, ...]) -> dict[str, Any]:
    """What is for rent, and the cheapest of it."""
    named = {offer.price.provider for offer in offers}
    return {
        "rent": [_told(offer, bought) for offer in offers],
        "rent_which": sums.which(case, offers),
        "cheaper": sums.cheaper(offers),
        "all_at_once": sums.all_at_once(offers),
        "providers": sums.by_provider(case, offers),
        "dearer": sums.dearer(case, offers),
        "unpriced": [name for name in case.query.providers if name not in named],
    }


def _run(case: Case, need: Need | None, offers: tuple[Rented, ...]) -> dict[str, Any]:
    """What one run is, and its hours elsewhere."""
    first, epochs = (offers[0] if offers else None), epochs_of(case)
    hours = first.run if first and epochs > 1 else None
    full = full_hours(case, first.gpu, first.count) if first else None
    return {
        "run_model": case.model_name if case.sized else "8B",
        "run_method": case.method,
        "examples": case.query.dataset_examples or usual_examples(case),
        "examples_assumed": case.query.dataset_examples is None,
        "tokens": case.query.dataset_tokens,
        "tokens_each": tokens_each(case),
        "tokens_assumed": case.query.tokens_per_example is None and case.query.dataset_tokens is None,
        "epochs": epochs,
        "epoch": (hours[0] / epochs, hours[1] / epochs) if hours else None,
        "free": free_run(case, need),
        "session": SESSION_HOURS,
        "full": {"run": full, "cost": cost_of(full, first.price, first.count)} if full and first else None,
        "disk_gb": disk_gb(case),
    }


def _money(case: Case, bought: Gpu | None, facts: dict[str, Any], first: Rented | None) -> dict[str, Any]:
    """Break-even, and what the stated budget or hours come to."""
    offered = sums.offered(case, facts, first)
    price = offered or (price_to_buy(case.catalog, bought.id) if bought else None)
    power, took = facts["power_usd"], case.query.took_hours
    budget = case.query.budget if case.query.currency in CURRENCIES_NEAR_USD else None  # others are not converted
    even = (
        sums.break_even(price, first, power or 0.0, 1 if offered else facts["buy"]["count"])
        if price and first
        else None
    )
    runs = sums.a_month(case)
    week = case.query.hours_per_week or sums.week_of(runs, first)
    years = sums.years(even, week)
    return {
        "break_even": even,
        "offered": offered.low if offered else None,
        "week": week,
        "runs": runs if week and not case.query.hours_per_week else None,
        "month": sums.for_runs(runs, first),
        "years": years,
        "weekly": sums.weekly(even),
        "pays_soon": years is not None and years[0] <= sums.SOON_YEARS,
        "took": (took, took) if took else None,
        "at_home": (took * power, took * power) if took and power and bought in desk_cards(case) else None,
        "rented_hours": sums.for_hours(took, first),
        "runs_to_pay": sums.runs_to_pay(even, took) if offered else None,
        "budget": budget,
        "currency": case.query.currency or "USD",
        "budget_hours": sums.hours_for(budget, first),
        "enough": first.cost[1] < budget if budget and first and first.cost else None,
    }


def _home(case: Case, need: Need | None, first: Rented | None) -> dict[str, Any] | None:
    """A card of one's own beside the data centre's: its price, and the rented hours after which it has paid."""
    gpu = for_home(case, need)
    price = price_to_buy(case.catalog, gpu.id) if gpu else None
    if gpu is None or price is None or first is None:
        return None
    even = sums.break_even(price, first, power_usd_per_hour(gpu, 1) or 0.0)
    told = {"name": short_name(gpu), "vram_gb": gpu.vram_gb, "price": price.model_dump()}
    return told | {"hours": even} if even else None


def _code(case: Case, facts: dict[str, Any]) -> str:
    rent, even = facts["rent"], facts["break_even"]
    priced = facts["buy"] is not None and facts["buy"]["price"] is not None
    if case.symptoms & FAILED and facts["fit"] in GOOD:
        return "owned_fits"
    if rent and rent[0]["cost"] and (case.query.dataset_examples or case.query.dataset_tokens) and case.sized:
        return "job"
    if rent and facts["fit"] not in (*GOOD, None):
        return "too_small"
    if facts["took"] and case.gpus and (facts["at_home"] or facts["rented_hours"]):
        return "hours"
    if facts["budget_hours"] and not (even and facts["offered"]):
        return "budget"
    if len(rent) > 1 and len(case.gpus) > 1 and facts["rent_which"] and "no_gpu_found" in case.symptoms:
        return "rent_which"
    if rent and case.query.providers and not facts["years"]:
        return "where"
    if rent and facts["buy"] and facts["buy"]["count"] >= CLUSTER and not facts["offered"]:
        return "rent"
    if even is not None:
        return "week" if facts["years"] else "compare"
    if not rent:
        return "no_price"
    return "power_eats_it" if priced else "rent"


def _own(case: Case) -> dict[str, Any] | None:
    """The run on the asker's own machine, where that holds it."""
    gpu = case.gpu if case.gpu in desk_cards(case) else None
    hours = own_hours(case, gpu) if gpu is not None else None
    if gpu is None or hours is None:
        return None
    power = power_usd_per_hour(gpu, case.n_cards)
    least = min(gpu.memory_options_gb or (gpu.vram_gb,))
    counted = case.card.vram_gb if case.card else gpu.vram_gb
    leaner = least < counted == gpu.vram_gb
    return {
        "name": short_name(gpu),
        "run": hours,
        "cost": (hours[0] * power, hours[1] * power) if power else None,
        "gb": counted,
        "from_gb": least if leaner else None,
        "from_fits": leaner and case.fit(case.lean, int(usable_bytes(gpu) * least / gpu.vram_gb)) in GOOD,
    }


def _told(offer: Rented, bought: Gpu | None) -> dict[str, Any]:
    return {
        "name": short_name(offer.gpu),
        "vram_gb": offer.gpu.vram_gb,
        "count": offer.count,
        "price": offer.price.model_dump(),
        "provider": offer.price.provider if offer.price.provider not in NO_PROVIDERS else "",
        "run": offer.run,
        "cost": offer.cost,
        "ratio": None if offer.run else sums.ratio(bought, offer.gpu),  # hours say it better than paper does
        "other": bought is not None and bought is not offer.gpu,
    }


def _qlora(case: Case, gpu: Gpu | None) -> int | None:
    """Bytes of QLoRA where that fits the card though the stated method does not."""
    if gpu is None or case.method == "qlora":
        return None
    lean = gpu.cuda_capability is None or gpu.cuda_capability >= VOLTA
    stack = case.stacks[0] if case.apple else UNSLOTH if lean else STOCK
    need = case.need(stack, method="qlora", **IN_4_BIT)
    return need.device if case.fit(need, usable_bytes(gpu)) in GOOD else None

"""Buy or rent? Break-even hours from dated prices and electricity, what a run costs, and privacy (S40).

The cards are the ones asked about; with several, the one for a desk is bought and the one for a data centre rented.

Verdict: job (the data is known: what a run costs), compare, power_eats_it (rent costs no more than electricity), rent
(nothing on record to buy), no_price.
Facts: buy, rent (CardOptions as mappings), break_even (hours low, high), power_usd (per hour), usd_per_kwh, ratio (of
speed, rented over bought), hours (of one run), run_cost (low, high in USD), examples, budget, currency,
budget_hours.
"""

from typing import Any

from advisor.advice import Advice, CardOption, PriceTag, Verdict
from advisor.case import Case
from advisor.estimator import usable_bytes
from advisor.estimator.cost import USD_PER_KWH, power_usd_per_hour
from advisor.options import GOOD, option_of, price_to_buy, price_to_rent, rentals
from advisor.query import Kind
from advisor.stacks import short_name
from advisor.tiers import smallest
from advisor.topics.time_estimate import EPOCHS, EXAMPLES, job, tokens_each
from knowledge.schemas import Gpu

BUY_BY_GB = ((24, "rtx-3090"), (32, "rtx-5090"), (96, "rtx-pro-6000-blackwell"))
"""What is bought for a need of so many GB: the seed's best value, its best single card, the largest for a desk."""
FOREVER = float("inf")
WEEKS = 52


def answer(case: Case) -> Advice:
    """Advice on buying or renting."""
    bought, rented = pair(case)
    buy = option_of(case, bought, role="buy", price=price_to_buy(case.catalog, bought.id)) if bought else None
    rent = rent_options(case, rented)
    first = rent[0].price if rent else None
    power = power_usd_per_hour(bought) if bought else None
    even = break_even(buy.price, first, power or 0.0) if buy and buy.price and first else None
    run = run_hours(case, rent[0]) if rent and case.sized else None
    budget = case.query.budget
    lean = case.need(case.stacks[0], n_gpus=1, sharding="none") if case.sized else None
    known = case.query.dataset_examples is not None or case.query.dataset_tokens is not None
    facts: dict[str, Any] = {
        "buy": buy.model_dump() if buy else None,
        "rent": [option.model_dump() for option in rent],
        "break_even": even,
        "power_usd": power,
        "usd_per_kwh": USD_PER_KWH,
        "tdp_w": bought.tdp_w if bought else None,
        "ratio": _ratio(bought, rented),
        "hours": run,
        "run_cost": (run[0] * first.low * case.n_cards, run[1] * first.high * case.n_cards) if run and first else None,
        "cards": case.n_cards,
        "card": short_name(bought) if bought and case.gpus else None,
        "lean": lean.device if lean else None,
        "fit": case.fit(lean, usable_bytes(bought)) if lean and bought and case.gpus else None,
        "usable": usable_bytes(bought) if bought else None,
        "week": case.query.hours_per_week,
        "years": _years(even, case.query.hours_per_week),
        "examples": case.query.dataset_examples or EXAMPLES[1],
        "examples_assumed": case.query.dataset_examples is None,
        "budget": budget,
        "currency": case.query.currency or "USD",
        "budget_hours": (budget / first.high, budget / first.low) if budget and first else None,
    }
    return Advice(
        kind=Kind.COST_BUY_VS_RENT,
        query=case.query,
        verdict=Verdict(code="job" if known and run else _code(buy, first, even), facts=facts),
        setup=case.setup if case.sized else None,
        options=rent,
        asks=None if case.sized else "model",
        offers=("show=prices", "kind=time_estimate", "kind=which_gpu", "method=qlora"),
    )


def pair(case: Case) -> tuple[Gpu | None, Gpu | None]:
    """(the card to buy, the card to rent): those asked about, else the seed's choice for this need."""
    gpus = case.gpus
    if gpus:
        desk = [gpu for gpu in gpus if gpu.segment in ("consumer", "workstation", "soc")]
        others = [gpu for gpu in gpus if gpu not in desk]
        bought = (desk or list(gpus))[0]
        rented = (others or desk[1:] or [bought])[0] if desk else bought
        return bought, rented
    need = case.need(case.stacks[0], n_gpus=1, sharding="none") if case.sized else None
    least = smallest(case, need) if need else 0
    chosen = next((gpu_id for gb, gpu_id in BUY_BY_GB if least is not None and gb >= least), None)
    gpu = case.catalog.gpus.get(chosen) if chosen else None
    return gpu, gpu


def rent_options(case: Case, rented: Gpu | None) -> tuple[CardOption, ...]:
    """The asked card by the hour, and the cheapest one that holds the need."""
    found = []
    need = case.need(case.stacks[0], n_gpus=1, sharding="none") if case.sized else None
    holds = rented is not None and (need is None or case.fit(need, usable_bytes(rented)) in GOOD)
    if rented is not None and holds and (price := price_to_rent(case.catalog, rented.id)):
        found.append(option_of(case, rented, role="rent", price=price))
    if need is not None:
        found += [option for option in rentals(case, need) if all(option.gpu != other.gpu for other in found)]
    return tuple(found[:2])


def break_even(buy: PriceTag, rent: PriceTag, power: float) -> tuple[float, float] | None:
    """(fewest, most) hours after which buying is cheaper, electricity (USD per hour) counted; None if never."""
    dear, cheap = rent.high - power, rent.low - power
    if dear <= 0:
        return None
    return buy.low / dear, buy.high / cheap if cheap > 0 else FOREVER


def run_hours(case: Case, option: CardOption) -> tuple[float, float] | None:
    """Hours of one run of the stated (or a usual) amount of data on a rented card."""
    each = tokens_each(case)
    tokens = case.query.dataset_tokens or (case.query.dataset_examples or EXAMPLES[1]) * each
    return job(case, case.catalog.gpus[option.gpu], tokens, each, case.query.epochs or EPOCHS)


def _years(even: tuple[float, float] | None, week: float | None) -> tuple[float, float] | None:
    """Years until buying pays off at so many hours a week."""
    return (even[0] / week / WEEKS, even[1] / week / WEEKS) if even and week else None


def _ratio(bought: Gpu | None, rented: Gpu | None) -> float | None:
    if bought is None or rented is None or bought is rented:
        return None
    rates = [gpu.bf16_dense_tflops or gpu.fp16_dense_tflops for gpu in (rented, bought)]
    return rates[0] / rates[1] if rates[0] and rates[1] else None


def _code(buy: CardOption | None, rent: PriceTag | None, even: tuple[float, float] | None) -> str:
    if even is not None:
        return "compare"
    if rent is None:
        return "no_price"
    return "power_eats_it" if buy is not None and buy.price is not None else "rent"

"""Buy or rent? Break-even hours from dated prices, what a run costs, what a card at home draws, and privacy (S40).

Verdict: rent_once, compare, no_price.
Facts: buy, rent (CardOptions), break_even (hours low, high), hours (of one run), run_cost (low, high in USD), tdp_w,
kwh_per_hour, minimum_gb, budget, currency, budget_hours.
"""

from typing import Any

from advisor.advice import Advice, CardOption, Verdict
from advisor.case import Case
from advisor.options import option_of, price_to_buy, price_to_rent, rentals
from advisor.query import Kind
from advisor.tiers import smallest
from advisor.topics.time_estimate import EPOCHS, EXAMPLES, TOKENS_EACH, hours, speed_of

DEFAULT_CARD = "rtx-3090"
"""The seed's best value (S21): what people weigh renting against."""
BUY_BY_GB = ((24, "rtx-3090"), (32, "rtx-5090"), (96, "rtx-pro-6000-blackwell"))


def answer(case: Case) -> Advice:
    """Advice on buying or renting."""
    need = case.need(case.stacks[0], n_gpus=1, sharding="none") if case.sized else None
    minimum = smallest(case, need) if need else None
    gpu_id = case.gpu.id if case.gpu else next((g for gb, g in BUY_BY_GB if gb >= (minimum or 0)), None)
    gpu = case.catalog.gpus.get(gpu_id) if gpu_id else None
    buy_price = price_to_buy(case.catalog, gpu.id) if gpu else None
    rent_price = price_to_rent(case.catalog, gpu.id) if gpu else None
    buy = option_of(case, gpu, role="buy", price=buy_price) if gpu else None
    rent = [option_of(case, gpu, role="rent", price=rent_price)] if gpu and rent_price else []
    if need is not None:
        rent += [o for o in rentals(case, need) if not gpu or o.gpu != gpu.id]
    first = rent[0].price if rent else None
    run = run_hours(case, rent[0]) if rent and need else None
    facts: dict[str, Any] = {
        "buy": buy.model_dump() if buy else None,
        "rent": [o.model_dump() for o in rent[:2]],
        "minimum_gb": minimum,
        "break_even": (buy_price.low / first.high, buy_price.high / first.low) if buy_price and first else None,
        "hours": run,
        "run_cost": (run[0] * first.low, run[1] * first.high) if run and first else None,
        "tdp_w": gpu.tdp_w if gpu else None,
        "budget": case.query.budget,
        "currency": case.query.currency or "USD",
        "budget_hours": (case.query.budget / first.high, case.query.budget / first.low)
        if case.query.budget and first
        else None,
        "examples": case.query.dataset_examples or EXAMPLES[1],
        "examples_assumed": case.query.dataset_examples is None,
    }
    code = "compare" if facts["break_even"] else "rent" if rent else "no_price"
    return Advice(
        kind=Kind.COST_BUY_VS_RENT,
        query=case.query,
        verdict=Verdict(code=code, facts=facts),
        setup=case.setup if case.sized else None,
        needs=(need,) if need else (),
        options=tuple(rent[:2]),
        asks=None if case.sized else "model",
        offers=("show=prices", "kind=time_estimate", "kind=which_gpu", "method=qlora"),
    )


def run_hours(case: Case, option: CardOption) -> tuple[float, float] | None:
    """Hours of one run of the stated (or a usual) amount of data on a rented card."""
    speed = speed_of((case.need(case.stacks[0], gpu=option.name, n_gpus=1, sharding="none"),), 1)
    if speed is None:
        return None
    tokens = case.query.dataset_tokens or (case.query.dataset_examples or EXAMPLES[1]) * min(case.seq_len, TOKENS_EACH)
    return hours(tokens * (case.query.epochs or EPOCHS), speed)

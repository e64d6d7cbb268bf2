"""Two cards for a desk with a price each: what the dearer one saves in electricity, and when that has paid for it."""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.estimator.cost import USD_PER_KWH, power_usd_per_hour
from advisor.query import Kind
from advisor.stacks import UNSLOTH, short_name
from advisor.topics.cost_buy_vs_rent.offers import desk_cards
from advisor.topics.usual import EIGHT_B
from knowledge.schemas import Gpu

PAIR = 2
SOON_HOURS = 3000
"""Hours of training within which what is saved must pay for the dearer card: an hour a day for eight years. Ours."""


def running_cost(case: Case) -> Advice | None:
    """The cheaper one of two cards in the long run; None where nobody names both prices, or renting is meant."""
    facts = at_asked_prices(case)
    if facts is None:
        return None
    return Advice(
        kind=Kind.COST_BUY_VS_RENT,
        query=case.query,
        verdict=Verdict(code="running", facts=facts),
        offers=("show=prices", "kind=compare_gpus", "kind=time_estimate"),
    )


def at_asked_prices(case: Case) -> dict[str, Any] | None:
    """What the dearer of two cards saves at the prices that the asker names."""
    prices, query = case.query.asked_prices, case.query
    cards = [gpu for gpu in desk_cards(case) if gpu.id in prices]
    if len(cards) != PAIR or len(case.gpus) != PAIR or query.hourly or query.providers or query.budget:
        return None
    cheap, dear = sorted(cards, key=lambda gpu: prices[gpu.id])
    rates = [case.need(UNSLOTH, **EIGHT_B, gpu=gpu.name).tokens_per_s for gpu in (cheap, dear)]
    power = [power_usd_per_hour(gpu, 1) for gpu in (cheap, dear)]
    if not (rates[0] and rates[1] and power[0] and power[1]):
        return None
    ratio = rates[1] / rates[0]
    saving = power[0] - power[1] / ratio
    more = prices[dear.id] - prices[cheap.id]
    hours = more / saving if saving > 0 else None
    return {
        "cheap": _told(cheap, prices[cheap.id]),
        "dear": _told(dear, prices[dear.id]),
        "more": more,
        "saving": (saving, saving) if hours else None,
        "hours": hours,
        "take": "dear" if hours is not None and hours <= SOON_HOURS else "cheap",
        "ratio": ratio,
        "same_memory": cheap.vram_gb == dear.vram_gb,
        "currency": query.currency or "USD",
        "usd_per_kwh": USD_PER_KWH,
    }


def _told(gpu: Gpu, price: float) -> dict[str, Any]:
    return {"name": short_name(gpu), "vram_gb": gpu.vram_gb, "watts": gpu.tdp_w, "price": price}

"""A budget for the whole machine: what is left of it for the card.

Source: a desktop's other parts (board, processor, 64 GB of RAM, supply, case, SSD) at usual prices, rounded; ours.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.options import CURRENCIES_NEAR_USD
from advisor.query import Kind
from advisor.topics import which_gpu

REST = 1000.0
"""USD for everything but the card."""
COSTLY = True

ON = ("whole_pc",)


def check(case: Case) -> Finding | None:
    """The card that the rest of the money buys."""
    query = case.query
    if "whole_pc" not in case.symptoms or not query.budget or query.currency not in CURRENCIES_NEAR_USD:
        return None
    if case.gpus or case.advice is None or case.advice.kind is not Kind.WHICH_GPU:
        return None
    left = query.budget - REST
    facts = {"budget": query.budget, "rest": REST, "currency": query.currency, "left": left}
    if left <= 0:
        return stop(card=None, **facts)
    told = which_gpu.answer(Case(query.model_copy(update={"budget": left}), case.catalog))
    bought = next((o for o in told.options if o.within_budget and o.role != "rent"), None)
    card = bought.model_dump(include={"name", "count", "vram_gb"}) if bought else None
    used = bool(bought and bought.price and bought.price.kind == "used")
    return stop(card=card, used=used, largest=told.verdict.facts.get("largest"), **facts)

"""What an hour costs, where the question is about something else and names a provider, or asks for the cost besides.

Source: facts/prices.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.options import rentals
from advisor.query import Kind
from advisor.stacks import short_name
from advisor.topics.cost_buy_vs_rent.offers import at_providers
from advisor.topics.cost_buy_vs_rent.runs import need_of
from advisor.topics.time_estimate import EXAMPLES

KINDS = frozenset({Kind.TIME_ESTIMATE, Kind.FITS_CHECK, Kind.MULTI_GPU, Kind.CONTEXT_LENGTH})
MOST = 2
COSTLY = True

ON = ("providers", "also", "parts_list")


def check(case: Case) -> Finding | None:
    """The named card by the hour, else the cheapest that holds it; with the cost of a run where the model is known."""
    parts = "parts_list" in case.symptoms
    asked = case.query.providers or case.query.also is Kind.COST_BUY_VS_RENT or parts
    if case.advice is None or case.advice.kind not in KINDS or not asked:
        return None
    gpu = case.gpu
    need = need_of(case)
    if gpu is None and need is not None and (cheapest := rentals(case, need, 1)):
        gpu = case.catalog.gpus[cheapest[0].gpu]
    if gpu is None:
        return None
    offers = at_providers(case, gpu, case.n_cards)[:MOST]
    told = [[o.price.provider, (o.price.low, o.price.high), o.price.date] for o in offers]
    named = {offer.price.provider for offer in offers}
    run = offers[0].run if offers and case.sized else None
    return warn(
        card={"name": short_name(gpu), "count": case.n_cards},
        offers=told,
        unpriced=[name for name in case.query.providers if name not in named],
        examples=case.query.dataset_examples or (None if case.query.dataset_tokens else EXAMPLES[1]),
        tokens=case.query.dataset_tokens,
        run=run,
        cost=offers[0].cost if run else None,
        parts=parts,
    )

"""Does it fit? The verdict on the asker's card, per stack, and what to change where it does not.

Without a card this is the question which card; without a model, what the card trains.
Facts: card, count, card_gb, usable, room (bytes left on the lean stack), missing, sharding, way (ddp | fsdp | none),
at_home.
"""

from advisor.advice import Advice, Need, Verdict
from advisor.case import Case
from advisor.changes import make_it_fit
from advisor.options import GOOD, rentals
from advisor.query import Kind
from advisor.stacks import LARGEST_AT_HOME
from advisor.tiers import others, smallest
from advisor.topics import which_gpu
from advisor.topics.multi_gpu import cards_that_hold, shared_stack
from advisor.topics.sizes import sizes_table
from advisor.topics.which_gpu import ROLLOUTS

POOL_SHARE = 0.25
"""Share of the card that vLLM needs beside training (gpu_memory_utilization; TRL and Unsloth start from 0.3)."""


def answer(case: Case) -> Advice:
    """Advice on whether it fits."""
    if not case.sized:
        return sizes_table(case, Kind.FITS_CHECK)
    if case.usable is None:
        return which_gpu.answer(case)
    needs = case.needs()
    best, worst = needs[0], needs[-1]
    facts = {
        "card": case.card.name if case.card else "",
        "count": case.n_cards,
        "card_gb": case.card.vram_gb if case.card else None,
        "usable": case.usable,
        "room": case.usable - best.device,
        "missing": best.device - case.usable,
        "lean": best.device,
        "stock": worst.device,
        "stock_fit": worst.fit,
        "sharding": case.sharding,
        "sharding_stated": case.query.sharding is not None,
        "minimum_gb": smallest(case, best),
        "others": others(case),
        "several": several(case, best),
        "for_home": (case.params or 0) <= LARGEST_AT_HOME,
        "names": [[card.name, card.vram_gb, card.count] for card in case.cards],
    }
    fits = best.fit in GOOD
    changes = () if fits else make_it_fit(case)
    return Advice(
        kind=Kind.FITS_CHECK,
        query=case.query,
        verdict=Verdict(code=_code(case, best, worst), facts=facts),
        setup=case.setup,
        needs=needs,
        changes=changes,
        options=() if fits or any(c.fit in GOOD for c in changes) else rentals(case, best, 1, case.n_cards),
        asks="seq_len" if case.query.seq_len is None and best.fit != "no" else None,
        offers=_offers(case, fits),
    )


def several(case: Case, best: Need) -> int | None:
    """How many of the asker's server cards hold it when split, where one does not."""
    gpu = case.gpu
    if gpu is None or gpu.segment != "datacenter" or case.n_cards > 1 or best.fit in GOOD:
        return None
    return cards_that_hold(case, shared_stack(case), case.usable or 0)


def _code(case: Case, best: Need, worst: Need) -> str:
    """The fit of the leanest stack; experts that only some loaders keep in 4 bit make it depend on the loader."""
    experts = case.model is not None and case.model.moe is not None and case.method in ("qlora", "qdora")
    if experts and best.fit in GOOD and worst.fit not in GOOD:
        return "experts"
    if case.query.algorithm in ROLLOUTS and best.fit in GOOD:
        return "rollouts" if (case.usable or 0) - best.device >= POOL_SHARE * (case.usable or 0) else "no_rollouts"
    return best.fit or "no"


def _offers(case: Case, fits: bool) -> tuple[str, ...]:
    if not fits:
        return ("show=fit", *which_gpu.offers(case)[:2], "kind=which_gpu", "show=why", "show=config")
    return (*which_gpu.offers(case)[:3], "show=why", "show=config", "kind=time_estimate")

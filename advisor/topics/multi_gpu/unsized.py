"""Several cards and no model: what more of them bring, and what unequal ones do together. Asks for the model.

Facts: sum_gb, method, way (the split that was named), largest (the largest common size split over all, where that is
more than one of them holds), seq_len, nodes (machines); and where nothing else was asked: mixed (kinds of card),
roomiest (of those the one with most memory), alone (what it trains by itself), together (speed of copies over one
card), one (the largest common size of a single card), away (of all with offload to RAM), price (of one more).
"""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.options import price_to_buy
from advisor.query import Kind
from advisor.stacks import BILLION, GOOD, size_name
from advisor.tiers import split
from advisor.topics.compare_gpus import SCALING
from advisor.topics.multi_gpu.which_split import SAME
from advisor.topics.sizes import MODELS, SIZES_B, largest_qlora, sizes_table, split_largest


def unsized(case: Case) -> Advice:
    """The table of sizes under what several cards are good for."""
    table = sizes_table(case, Kind.MULTI_GPU)
    copied = case.query.sharding in ("zero1", "zero2") and not case.full  # zero2_copies_weights says it
    facts: dict[str, Any] = {
        **case.where,
        "sum_gb": sum(c.count * c.vram_gb for c in case.cards) if case.n_cards > 1 else None,
        "method": case.method,
        "way": None if copied else SAME.get(case.query.sharding or "", case.query.sharding),
        "largest": split_largest(case, case.usable, beyond_one=True),
        "seq_len": case.seq_len,
        "nodes": case.query.nodes or 1,
        "single": case.query.n_gpus == 1 and case.query.sharding is not None,
        "mixed": None,
        "together": None,
    }
    if facts["nodes"] == 1 and case.n_cards > 1 and case.usable is not None:
        if len(case.cards) > 1:
            facts |= _mixed(case)
        elif not (case.query.sharding or case.claims & {"vram_adds_up"}):
            facts |= _more(case, table)
    return table.model_copy(update={"verdict": Verdict(code="unsized", facts=facts)})


def _mixed(case: Case) -> dict[str, Any]:
    """Unequal cards: the one that is better used alone."""
    roomiest = max(case.cards, key=lambda card: card.usable)
    return {
        "mixed": len(case.cards),
        "way": None,
        "largest": split_largest(case, case.usable, beyond_one=True, fused_loss=True),
        "roomiest": roomiest.name or f"{roomiest.vram_gb:g} GB",
        "alone": largest_qlora(case, roomiest.usable) if not case.full else None,
    }


def _more(case: Case, table: Advice) -> dict[str, Any]:
    """Cards of one kind: speed, size and the price of one more."""
    price = price_to_buy(case.catalog, case.gpu.id) if case.gpu else None
    return {
        "together": 1 + (case.n_cards - 1) * SCALING,
        "one": table.verdict.facts.get("largest"),
        "away": _offloaded(case),
        "price": price.model_dump() if price else None,
    }


def _offloaded(case: Case) -> str | None:
    """The largest common size over all cards with parameters in RAM."""
    stack = split(case.stacks[0], offload=True)
    for size in reversed(SIZES_B):
        need = case.need(stack, model=MODELS[size], n_gpus=case.n_cards, sharding="fsdp")
        if case.fit(need, case.usable or 0) in GOOD:
            return size_name(size * BILLION)
    return None

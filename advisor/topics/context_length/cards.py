"""Cards for a length that one card does not hold: eight that share the model, or the same with another memory."""

from typing import Any

from advisor.advice import Need
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.estimator.sharding import SHARDED
from advisor.lengths import longest
from advisor.stacks import FULL_ADAMW, GOOD, STOCK
from advisor.tiers import cards_that_hold, roomy, split
from advisor.topics.context_length.reach import STRETCHED

MACHINE = 8
"""Cards of a server."""
LONG = 8192
"""Tokens from which activations and logits are most of what a card holds."""
ONE = 80
"""GB of the card that a single-card answer ends with."""


def cluster(case: Case, stock: Need) -> list[dict[str, Any]]:
    """Bytes per card when eight cards share each model of the question with 16-bit LoRA, at its plainest or, where
    one of them needs it on cards of 80 GB, all with what stretches a length; nothing where one card is named
    or holds it on the stock loss.
    """
    if case.usable is not None or case.query.seq_len is None or case.full or case.query.candidates:
        return []
    if case.fit(stock, case.usable_of_size(ONE)) in GOOD:
        return []
    named = [(case.model_name, dict[str, Any]()), *case.alternatives]
    plain = [_shared(case, slots) for _, slots in named]
    far = any(case.fit(need, case.usable_of_size(ONE)) not in GOOD for need in plain)
    needs = [_shared(case, slots | STRETCHED) for _, slots in named] if far else plain
    return [
        {"name": name, "count": MACHINE, "device": need.device, "gb": roomy(case, need), "stretched": far}
        for (name, _), need in zip(named, needs, strict=True)
    ]


def copies(case: Case, lengths: tuple[int, ...], split_longest: int | None) -> dict[str, Any] | None:
    """Where the asked length made us split a model that one card holds: how far a copy on each card goes instead, as
    it is and with the checkpoints in system RAM; None where that is no further.
    """
    if case.n_cards == 1 or case.query.sharding or case.sharding not in SHARDED or case.usable is None or case.full:
        return None
    stack = case.stacks_of_one[0]
    found = longest(case, stack, lengths, sharding="ddp")
    if not found or found <= (split_longest or 0):
        return None
    further = longest(case, stack, lengths, sharding="ddp", **STRETCHED)
    return {"stack": stack.code, "longest": found, "stretched": further if (further or 0) > found else None}


def _shared(case: Case, slots: dict[str, Any]) -> Need:
    """What 16-bit LoRA takes on each card of a machine that shares the model."""
    ways: dict[str, Any] = {"method": "lora", "weight_bits": None, "quant": None, "n_gpus": MACHINE, "sharding": "fsdp"}
    return case.need(split(STOCK), **slots | ways)


def in_full(case: Case) -> int | None:
    """Bytes per card of every weight with AdamW on the stock loss, split over the asker's cards, where they hold it."""
    if case.n_cards == 1 or case.usable is None or not case.method_unsaid:
        return None
    ways: dict[str, Any] = {"method": "full", "weight_bits": None, "quant": None, "sharding": "fsdp", "offload": "none"}
    need = case.need(split(FULL_ADAMW), **ways, n_gpus=case.n_cards)
    return need.device if case.fit(need, case.usable) in GOOD else None


def compared(case: Case, asked: tuple[Need, ...]) -> list[dict[str, Any]]:
    """Where cards only stand for comparison: what each makes of the asked length, on the leanest and the last stack."""
    if case.usable is not None or case.query.seq_len is None:
        return []
    rows = []
    for option in case.query.candidates:
        for card in case.resolve_cards(option)[:1]:
            fits = [case.fit(need, card.usable) for need in (asked[0], asked[-1])]
            rows.append({"name": card.name, "gb": card.vram_gb, "lean": fits[0], "stock": fits[1]})
    return rows if len(rows) > 1 else []


def other_size(case: Case, ways: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Where a card comes in two sizes and the smaller is not the one that was counted: whether it does."""
    if case.gpu is None or not ways:
        return None
    ids = [card for card in case.query.ambiguous.get("gpus", ()) if card in case.catalog.gpus]
    sizes = {case.catalog.gpus[card].vram_gb for card in ids}
    less = max((gb for gb in sizes if gb < case.gpu.vram_gb), default=None)
    if less is None:
        return None
    every = next((row for row in ways if row["family"] == "full"), ways[-1])
    device = every["split"] or every["device"]
    return {"gb": case.gpu.vram_gb, "less": less, "fits": device <= case.usable_of_size(less)}


def own_tokens(case: Case, asked: Need) -> dict[str, Any]:
    """Whether each of several cards that share the model holds too long a sequence of its own; how many such cards do
    as it is, and what a card takes where they share each sequence.
    """
    facts: dict[str, Any] = {"own_tokens": False, "more_cards": None, "shared": None}
    length = case.query.seq_len or 0
    if length < LONG or case.n_cards == 1 or case.sharding not in SHARDED or case.usable is None:
        return facts
    if asked.fit in GOOD:
        return facts | {"own_tokens": bool(case.symptoms & FAILURES)}
    tokens = -(-length // case.n_cards)
    shared = case.need(case.stacks[-1], seq_len=tokens)
    more = cards_that_hold(case, case.stacks[-1], case.usable, least=case.n_cards + 1)
    return {
        "own_tokens": True,
        "more_cards": more,
        "shared": {"tokens": tokens, "device": shared.device} if shared.fit in GOOD else None,
    }

"""Beside the sizes that an answer recommends: the one below at a shorter length, a small card, more context."""

from typing import Any

from advisor.advice import Need
from advisor.asked import ROLLOUTS
from advisor.case import Case
from advisor.changes import LENGTHS
from advisor.estimator import usable_bytes
from advisor.stacks import ALONE, GOOD, short_name
from advisor.tiers import SIZES

LONGER = 8192
SMALL_CARDS = ("rtx-3050-6gb", "rtx-4060", "rtx-3060-12gb", "rtx-4060-ti-16gb")
"""What people own or buy cheaply below the seed's entry tier."""


def floor(case: Case, lean: Need, minimum: int) -> dict[str, int] | None:
    """The next smaller size, where only its spread would hold it, with the longest usual length that it does hold."""
    gb = max((size for size in SIZES if size < minimum), default=None)
    if gb is None or case.fit(lean, case.usable_of_size(gb)) != "unlikely":
        return None
    usable = case.usable_of_size(gb)
    shorter = (length for length in LENGTHS if length < case.seq_len)
    fits = (n for n in shorter if case.fit(case.need(case.stacks[0], seq_len=n, **ALONE), usable) in GOOD)
    return {"gb": gb, "tokens": tokens} if (tokens := next(fits, None)) else None


def entry(case: Case, lean: Need, stock: Need, *, failed: bool) -> dict[str, Any] | None:
    """The usual small card that already holds it (S50: even an RTX 3060 qualifies); after a failed run with room."""
    need, fits = (stock, ("yes",)) if failed else (lean, GOOD)
    if case.query.algorithm in ROLLOUTS:
        need = need.model_copy(update={"device": 2 * need.device, "low": 2 * need.low})
    for gpu_id in SMALL_CARDS:
        gpu = case.catalog.gpus[gpu_id]
        if case.fit(need, usable_bytes(gpu)) in fits:
            return {"name": short_name(gpu), "vram_gb": gpu.vram_gb}
    return None


def longer(case: Case, lean: Need) -> dict[str, int] | None:
    """What 8k of context add on the lean stack; None when the question is at that length already."""
    if case.seq_len >= LONGER or case.max_context < LONGER:
        return None
    more = case.need(case.stacks[0], seq_len=LONGER, **ALONE)
    return {"seq_len": LONGER, "adds": max(0, more.device - lean.device), "device": more.device}

"""Cards that somebody says a run needs, or that are said to do for it, held against what holds it.

Source: estimator.
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.estimator import usable_bytes
from advisor.query import Kind
from advisor.stacks import GOOD, short_name
from advisor.tiers import cards_that_hold, smallest, split

ON = ("named",)
SAID = (2, 3)
"""Card and number; and, where they are said to be enough for it, that."""
KINDS = frozenset({Kind.FITS_CHECK, Kind.WHICH_GPU, Kind.CONTEXT_LENGTH, Kind.MULTI_GPU, Kind.METHOD_CHOICE})


def check(case: Case) -> Finding | None:
    """Whether it takes those cards, whether they hold it at all, and what does."""
    said = case.query.named.get("claimed_cards", ())
    if len(said) not in SAID or not case.sized or case.query.kind not in KINDS or said[0] not in case.catalog.gpus:
        return None
    gpu, count = case.catalog.gpus[said[0]], int(said[1])
    usable, stack = usable_bytes(gpu), case.stacks[0]
    least = smallest(case, case.lean)
    several = split(stack)
    alone = case.fit(case.lean, usable) in GOOD
    holds = alone or cards_that_hold(case, several, usable, least=2, most=count) is not None
    if least is None and holds:
        return None
    ways: dict[str, Any] = {"n_gpus": count, "sharding": "fsdp", "offload": "none"}
    enough = len(said) > SAID[0]
    return stop(
        card=short_name(gpu),
        count=count,
        least=least,
        need=case.lean.device,
        each=case.need(several, **ways).device if count > 1 and not alone else None,
        has=usable,
        stack=case.lean.stack,
        method=case.method,
        tokens=case.seq_len,
        says="short" if not holds else "right" if enough or not _needless(least, gpu.vram_gb, alone, count) else "no",
        enough=enough,
    )


def _needless(least: int | None, vram_gb: float, alone: bool, count: int) -> bool:
    """Whether one of them, or a smaller card, does for it."""
    return (least is not None and least < vram_gb) or (alone and count > 1)

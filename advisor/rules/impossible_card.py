"""A card with a memory size that was never sold (or only as a conversion).

Source: facts/gpus.
"""

from typing import Any

from advisor.advice import Finding, Fit, stop
from advisor.case import Case
from advisor.stacks import short_name

BEST_FIRST: tuple[Fit, ...] = ("yes", "tight", "unlikely", "no")
TOLERANCE = 0.15
"""A stated size may be what the driver shows, or rounded."""

ON = ("gpus",)


def check(case: Case) -> Finding | None:
    """A card with a memory size that was never sold (or only as a conversion)."""
    for count in case.query.gpus:
        gpu = case.catalog.gpus.get(count.gpu) if count.gpu else None
        if gpu is None or count.vram_gb is None or gpu.memory_options_gb or gpu.unified_memory:
            continue
        if abs(count.vram_gb - gpu.vram_gb) > TOLERANCE * gpu.vram_gb:
            return stop(card=short_name(gpu), vram_gb=gpu.vram_gb, said_gb=count.vram_gb, fit=_fit(case, gpu.vram_gb))
    return None


def _fit(case: Case, vram_gb: float) -> Fit | None:
    """How the plan stands to the size that was sold, copied or split; not where the answer itself says it."""
    if not case.sized or (case.advice is not None and case.advice.verdict.facts.get("sold")):
        return None
    ways: list[dict[str, Any]] = [{}] if case.n_cards == 1 else [{}, {"sharding": "fsdp"}]
    fits = [case.fit(case.need(case.stacks[0], **way), case.usable_of_size(vram_gb)) for way in ways]
    return min(fits, key=BEST_FIRST.index)

"""A card with a memory size that was never sold (or only as a conversion).

Source: facts/gpus.
"""

import re
from typing import Any

from advisor.advice import Finding, Fit, stop
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import GOOD, short_name
from knowledge.schemas import Gpu

BEST_FIRST: tuple[Fit, ...] = ("yes", "tight", "unlikely", "no")
TOLERANCE = 0.15
"""A stated size may be what the driver shows, or rounded."""
NUMBER = r"\b\d{3,4}\b"
"""What a card and its laptop twin share in their names."""

ON = ("gpus",)


def check(case: Case) -> Finding | None:
    """A card with a memory size that was never sold (or only as a conversion)."""
    if "mig_slice" in case.symptoms:
        return None  # a part of the card
    for count in case.query.gpus:
        gpu = case.catalog.gpus.get(count.gpu) if count.gpu else None
        if gpu is None or count.vram_gb is None or gpu.memory_options_gb or gpu.unified_memory:
            continue
        if abs(count.vram_gb - gpu.vram_gb) > TOLERANCE * gpu.vram_gb:
            sold = case.advice is not None and bool(case.advice.verdict.facts.get("as_sold"))
            counted, other = (gpu.vram_gb, count.vram_gb) if sold else (count.vram_gb, gpu.vram_gb)
            return stop(
                card=short_name(gpu),
                vram_gb=gpu.vram_gb,
                said_gb=count.vram_gb,
                counted_gb=counted,
                other_gb=other,
                fit=(fit := _fit(case, other)),
                decides="asks_size" in case.symptoms
                or (sold and fit is not None and (fit in GOOD) != (_counted(case) in GOOD)),
                twin=_twin(case, gpu, count.vram_gb),
            )
    return None


def _counted(case: Case) -> str | None:
    """How the plan stands to the size that was counted."""
    return next((need.fit for need in case.advice.needs), None) if case.advice else None


def _fit(case: Case, vram_gb: float) -> Fit | None:
    """How the plan stands to the size that was not counted, copied or split."""
    if not case.sized or case.query.kind is Kind.INFERENCE_ONLY:
        return None
    ways: list[dict[str, Any]] = [{}] if case.n_cards == 1 else [{}, {"sharding": "fsdp"}]
    fits = [case.fit(case.need(case.stacks[0], **way), case.usable_of_size(vram_gb)) for way in ways]
    return min(fits, key=BEST_FIRST.index)


def _twin(case: Case, gpu: Gpu, vram_gb: float) -> str | None:
    """The card of the same number that was sold with this size."""
    number = re.search(NUMBER, gpu.name)
    if number is None:
        return None
    same = (other for other in case.catalog.gpus.values() if number[0] in other.name and other.vram_gb == vram_gb)
    return next((short_name(other) for other in same), None)

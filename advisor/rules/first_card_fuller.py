"""Only the first card runs out: something lands there that belongs elsewhere; of spread layers one card is fuller.

Source: PyTorch, torch.load (map_location) and torch.cuda.set_device; accelerate, big model inference (max_memory).
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.lengths import longest
from advisor.machine import too_large_for_one
from advisor.stacks import ALONE

ON = ("first_card_fuller", "uneven")
MOSTLY = 0.6
"""Share of the card that a copy in 16 bit takes at least where it is what fills the card."""


def check(case: Case) -> Finding | None:
    """Only the first card runs out."""
    layered = case.query.sharding == "pipeline"
    told = "first_card_fuller" in case.symptoms or (layered and "uneven" in case.symptoms)
    if not told or case.n_cards < 2:
        return None
    alone = case.need(case.stacks[-1], n_gpus=1, sharding="none").device if case.sized else None
    if "vram_adds_up" in case.claims and too_large_for_one(case):
        return None  # a model that no card holds: memory does not add up by itself (vram_adds_up)
    unsplit = None if layered else _unsplit(case)
    fits = alone is not None and case.usable is not None and alone <= case.usable
    return stop(count=case.n_cards, layered=layered, alone=alone if fits else None, unsplit=unsplit)


def _unsplit(case: Case) -> dict[str, Any] | None:
    """Where no split is named, and 16-bit weights fill most of a card: those, and what splitting and 4 bit come to."""
    weights, usable = 2 * (case.params or 0), case.usable or 0
    if not case.sized or case.query.sharding is not None or case.full or weights < MOSTLY * usable:
        return None
    bare: dict[str, Any] = {"weight_bits": None, "quant": None}
    parted = case.need(case.stacks[-1], method="lora", sharding="zero3", **bare)
    four_bit: dict[str, Any] = {"method": "qlora", **ALONE, **bare}
    four = case.need(case.stacks[-1], **four_bit)
    tokens = longest(case, case.stacks[-1], **four_bit)
    return {"weights": weights, "usable": usable, "parted": parted.device, "four": four.device, "tokens": tokens}

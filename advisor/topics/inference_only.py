"""Running, not training: one line with the weights' size, and a pointer. Facts: weights_4, weights_16 (bytes),
model, usable, fit_4.
"""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import BILLION, fit_of, size_name
from advisor.topics.sizes import SIZES_B, trains

RUN_4_BIT = 0.6
"""Bytes per parameter of a 4-bit file as people run it (Q4_K_M, AWQ with its scales): 4.8 bits."""
ROOM = 1.15
"""A KV cache at a few thousand tokens and the runtime on top of the weights."""


def _runs(usable: int) -> str | None:
    """The largest common size that runs in 4 bit in so many bytes."""
    held = [b for b in SIZES_B if b * BILLION * RUN_4_BIT * ROOM <= usable]
    return size_name(held[-1] * BILLION) if held else None


def answer(case: Case) -> Advice:
    """A short word on what running takes."""
    facts: dict[str, Any] = {"model": None, "usable": case.usable}
    if not case.sized and case.usable:
        facts |= {
            "card": case.card.name if case.card else "",
            "card_gb": case.card.vram_gb if case.card else None,
            "count": case.n_cards,
            "runs": _runs(case.usable * case.n_cards),
            "trains": trains(case),
        }
    if case.sized:
        params = case.params or 0
        small, large = int(params * RUN_4_BIT), 2 * params
        facts = {
            "model": case.model_name,
            "weights_4": small,
            "weights_16": large,
            "usable": case.usable,
            "fit_4": fit_of(int(small * ROOM), small, case.usable * case.n_cards) if case.usable else None,
            "fit_16": fit_of(int(large * ROOM), large, case.usable * case.n_cards) if case.usable else None,
            "card": case.card.name if case.card else "",
            "card_gb": case.card.vram_gb if case.card else None,
            "count": case.n_cards,
        }
    return Advice(
        kind=Kind.INFERENCE_ONLY,
        query=case.query,
        verdict=Verdict(code="run" if case.sized else "pointer", facts=facts),
        offers=("kind=fits_check",) if case.sized else (),
    )

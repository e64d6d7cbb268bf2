"""Running, not training: one line with the weights' size, and a pointer. Facts: weights_4, weights_16 (bytes),
model, usable, fit_4.
"""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import fit_of

RUN_4_BIT = 0.6
"""Bytes per parameter of a 4-bit file as people run it (Q4_K_M, AWQ with its scales): 4.8 bits."""
ROOM = 1.15
"""A KV cache at a few thousand tokens and the runtime on top of the weights."""


def answer(case: Case) -> Advice:
    """A short word on what running takes."""
    facts: dict[str, Any] = {"model": None}
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

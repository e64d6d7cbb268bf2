"""A card newer than the PyTorch that is installed: a matter of versions, no reason against the card.

Source: PyTorch 2.7 release notes, 2025-04-23 (Blackwell, wheels for CUDA 12.8).
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import short_name

ON = ("too_new_for_build", "no_kernels")
BLACKWELL = 12.0
"""Compute capability of the cards that PyTorch before 2.7 does not know."""


def check(case: Case) -> Finding | None:
    """Say which versions know the card."""
    if {"too_new_for_build", "no_kernels"}.isdisjoint(case.symptoms):
        return None
    new = [gpu for gpu in case.gpus if gpu.vendor == "nvidia" and float(gpu.compute_capability or 0) >= BLACKWELL]
    if not new:
        return None
    chip = new[0].compute_capability
    buys = case.advice is not None and case.advice.kind in (Kind.COMPARE_GPUS, Kind.WHICH_GPU, Kind.COST_BUY_VS_RENT)
    return stop(card=short_name(new[0]), chip=f"sm_{str(chip).replace('.', '')}", buys=buys)

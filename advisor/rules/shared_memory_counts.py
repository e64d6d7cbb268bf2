"""Shared GPU memory is system RAM over PCIe; it cannot be added to VRAM.

Source: NVIDIA, CUDA Sysmem Fallback Policy (driver 536.40 and later).
"""

from advisor.advice import Finding, correct
from advisor.case import Case

ON = ("shared_memory_counts",)


def check(case: Case) -> Finding | None:
    """Shared GPU memory is system RAM over PCIe; it cannot be added to VRAM."""
    if case.one_memory:
        return None  # of a Mac, a DGX Spark or a Strix Halo the shared memory is the card's
    if "shared_memory_counts" not in case.claims or (case.advice and case.advice.verdict.code in ("shared", "spill")):
        return None
    return correct(usable=case.usable)

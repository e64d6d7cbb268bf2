"""A Mac with an AMD card trains on the CPU only.

Source: PyTorch: no CUDA and no ROCm on macOS; MLX needs Apple silicon.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.query import Kind

BESIDE = frozenset({Kind.COMPARE_GPUS, Kind.WHICH_GPU, Kind.COST_BUY_VS_RENT})
"""Kinds in which a card from NVIDIA is an alternative to the Mac."""
ON = ("os", "mac_with_intel")


def check(case: Case) -> Finding | None:
    """A Mac with an AMD card trains on the CPU only."""
    if "mac_with_intel" in case.symptoms and not case.gpus:
        return stop()
    named = bool(case.gpus) or "gpus" in case.query.unknown
    if case.query.os != "macos" or case.apple or not named or any(gpu.vendor == "apple" for gpu in case.gpus):
        return None
    meant = case.query.nearest.get("gpus", ())
    if any(case.catalog.gpus[name].vendor == "apple" for name in meant if name in case.catalog.gpus):
        return None  # "mac studio 64gb": which chip is not said
    if case.query.kind in BESIDE and all(gpu.vendor == "nvidia" for gpu in case.gpus) and case.gpus:
        return None  # a Mac, or a card for another machine
    return stop()

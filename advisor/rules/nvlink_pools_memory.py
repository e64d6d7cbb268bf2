"""NVLink is a faster wire, not a common memory.

Source: NVIDIA NVLink documentation; PyTorch sees two devices.
"""

from advisor.advice import Finding, correct
from advisor.case import Case

ON = ("nvlink_pools_memory",)


def check(case: Case) -> Finding | None:
    """NVLink is a faster wire, not a common memory."""
    return correct(nvlink=bool(case.gpu.nvlink) if case.gpu else None) if "nvlink_pools_memory" in case.claims else None

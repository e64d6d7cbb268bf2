"""NVLink is a faster wire, not a common memory.

Source: NVIDIA NVLink documentation; PyTorch sees two devices.
"""

from advisor.advice import Finding, correct
from advisor.case import Case

ON = ("nvlink_pools_memory",)


def check(case: Case) -> Finding | None:
    """NVLink is a faster wire, not a common memory."""
    if "nvlink_pools_memory" not in case.claims or (case.advice and case.advice.verdict.code == "no_gain"):
        return None  # where speed is the question, its topic says what NVLink brings
    return correct(nvlink=bool(case.gpu.nvlink) if case.gpu else None)

"""Training on a CPU takes weeks; bitsandbytes' 4-bit needs a GPU.

Source: throughput of CPUs is two orders below a T4.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("no_gpu_found",)


def check(case: Case) -> Finding | None:
    """Training on a CPU takes weeks; bitsandbytes' 4-bit needs a GPU."""
    return stop() if "no_gpu_found" in case.symptoms and not case.gpus else None

"""Memory that does not come back after a peak is PyTorch's cache, no leak.

Source: PyTorch, CUDA semantics, memory management: the caching allocator keeps freed blocks for later
(https://pytorch.org/docs/stable/notes/cuda.html#memory-management, 2026-11).
"""

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case

ON = ("never_freed",)


def check(case: Case) -> Finding | None:
    """Memory that does not come back after a peak is PyTorch's cache."""
    if "never_freed" not in case.symptoms:
        return None
    return stop(failed=bool(case.symptoms & FAILURES))

"""Memory that does not come back after a peak is PyTorch's cache, no leak; so is what a log calls cache.

Source: PyTorch, CUDA semantics, memory management: the caching allocator keeps freed blocks for later
(https://pytorch.org/docs/stable/notes/cuda.html#memory-management, 2026-11).
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.stacks import GIB

ON = ("never_freed", "log_cache")
SHORT = 0.5
"""Share of the cache that a peak without checkpointing takes at least where that may be the reason."""


def check(case: Case) -> Finding | None:
    """Memory that does not come back after a peak is PyTorch's cache."""
    failed, logged = bool(case.symptoms & FAILURES), case.query.named.get("logged_gib", ())
    if "log_cache" in case.symptoms:
        return stop(failed=failed, logged=True, **_peak(case, [float(gib) for gib in logged]))
    if "never_freed" not in case.symptoms:
        return None
    return stop(failed=failed, logged=False)


def _peak(case: Case, logged: list[float]) -> dict[str, Any]:
    """What was reserved in all, and what steps take with checkpointing, where it may be off."""
    facts: dict[str, Any] = {
        "cache": int(max(logged) * GIB) if logged else None,
        "peak": int(sum(logged) * GIB) if logged else None,
        "checked": None,
        "open": None,
    }
    if not case.sized or not logged or case.query.grad_checkpointing:
        return facts
    checked = case.need(case.stacks[-1], grad_checkpointing=True)
    bare = case.need(case.stacks[-1], grad_checkpointing=False)
    if checked.device < SHORT * facts["peak"]:
        facts |= {"checked": checked.device, "open": bare.device}
    return facts

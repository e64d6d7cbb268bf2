"""It died although little was allocated: cache, fragments and CUDA hold the rest, and the refused block comes on top.

Source: PyTorch, CUDA semantics, memory management: allocated, reserved, expandable_segments
(https://pytorch.org/docs/stable/notes/cuda.html#memory-management, 2026-11).
"""

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.rules.wsl_pins import check as pinned

ON = ("allocated_only",)


def check(case: Case) -> Finding | None:
    """It died although little was allocated."""
    if "allocated_only" not in case.symptoms or "taken_by_others" in case.symptoms or not case.symptoms & FAILURES:
        return None
    if pinned(case) is not None:
        return None  # what ran out was no memory of the card
    return stop(seen=case.seen or None, usable=case.usable, need=case.plain.device if case.sized else None)

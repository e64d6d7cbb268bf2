"""Out of memory under WSL with much of the card free, or in bitsandbytes' own code: what ran out is pinned or managed
system memory, which WSL limits.

Source: Microsoft Learn, "CUDA on WSL" (pinned system memory is limited); Unsloth's checkpoints lie in pinned RAM
(use_gradient_checkpointing="unsloth"); unsloth#1797;
bitsandbytes, csrc/pythonInterface.cpp (managed memory of paged optimizers), and its documentation on them, 2026-11.
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.stacks import GOOD

ON = ("os", "bnb_allocates")
WSL = "windows-wsl2"
FREE = 0.7
"""Share of the card that is in use at most where the card cannot be what ran out."""


def check(case: Case) -> Finding | None:
    """Say what ran out, and how to do without it."""
    query, usable = case.query, case.usable
    if "bnb_allocates" in case.symptoms:
        fits = case.sized and usable is not None and case.lean.fit in GOOD
        return _facts(case, paged=True, wsl=query.os == WSL, need=case.lean.device if fits else None)
    if query.os != WSL or not case.symptoms & FAILURES or "killed" in case.symptoms or usable is None:
        return None
    if query.trainer != "unsloth" and query.offload in (None, "none"):
        return None  # nothing is pinned
    free = 0 < case.seen < FREE * usable or "allocated_only" in case.symptoms
    if not free or not case.sized or case.lean.device > FREE * usable:
        return None
    return _facts(case, paged=False, wsl=True, need=case.lean.device)


def _facts(case: Case, **facts: Any) -> Finding:
    unsloth = case.query.trainer == "unsloth"
    return stop(usable=case.usable, unsloth=unsloth, model=case.model_name, **facts)

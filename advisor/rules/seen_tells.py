"""What was seen against the estimate: the difference tells what is set wrongly.

Source: 2 bytes a parameter more is fp32 instead of bf16; bitsandbytes' 4-bit saves 1.5.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import GIB

FAR = 4
"""Times the estimate that a figure may be above it to be about the same set-up."""
WORTH, NEAR, MOST = 0.25, 0.4, 2.2
"""Shares: of the estimate that a difference must have, and of a typical difference by which it is known."""


def check(case: Case) -> Finding | None:
    """What was seen against the estimate: the difference tells what is set wrongly."""
    seen = case.query.seen_gib
    if not seen or not case.sized or case.query.kind in (Kind.SYSTEM_RAM, Kind.INFERENCE_ONLY):
        return None
    if case.query.models or "oom_second" in case.symptoms:
        return None  # another model's figure, or a stage of the run
    if case.claims & {"shared_memory_counts", "inference_is_training", "smi_is_need"}:
        return None
    shown = min(case.needs(), key=lambda need: abs(need.device - seen * GIB))
    estimate, params = shown.device, case.params or 0
    more = int(seen * GIB) - estimate
    if more > (estimate if "table_covers_me" in case.claims else FAR * estimate):
        return None  # a table's figure, or another set-up
    parts = [[name, size] for name, size in sorted(shown.components.items(), key=lambda part: -part[1])[:4]]
    if more < WORTH * estimate:
        near = abs(more) < WORTH * estimate
        return stop(seen=int(seen * GIB), estimate=estimate, why="normal", parts=parts) if near else None
    four_bit = case.method in ("qlora", "qdora")
    gap = 1.5 * params if four_bit else 2.0 * params
    typical = (1 - NEAR) * gap < more < MOST * gap
    why = ("sixteen" if four_bit else "fp32") if typical else "other"
    return stop(seen=int(seen * GIB), estimate=estimate, why=why, parts=parts, split=case.n_cards > 1)

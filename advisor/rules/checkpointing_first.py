"""Gradient checkpointing is the first thing to switch on, and our figures assume it.

Source: Training Deep Nets with Sublinear Memory Cost, arXiv:1604.06174; estimator.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.query import Kind

ABOUT_STEPS = frozenset({"close", "needs", "later", "too_big", "method", "fragmented"})
"""Causes in which the training step itself is the peak, and whose answer does not say it already."""

COSTLY = True


def check(case: Case) -> Finding | None:
    """Gradient checkpointing is the first thing to switch on, and our figures assume it."""
    if (
        case.query.grad_checkpointing is not None
        or not case.sized
        or (case.query.kind is not Kind.OOM_HELP and "oom_step" not in case.symptoms)
    ):
        return None
    if case.advice is None or case.advice.kind is not Kind.OOM_HELP or case.advice.verdict.code not in ABOUT_STEPS:
        return None
    if case.advice.verdict.facts.get("limit_unchecked") is not None:
        return None  # told as a length
    if case.advice.verdict.facts.get("only_infers"):
        return None  # nobody trains with that program's settings
    stack = case.stacks[-1]
    saved = case.need(stack, grad_checkpointing=False).device - case.need(stack).device
    return warn(saved=saved) if saved > 0 else None

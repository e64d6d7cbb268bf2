"""Without gradient checkpointing every layer's activations stay.

Source: Training Deep Nets with Sublinear Memory Cost, arXiv:1604.06174.
"""

from advisor.advice import Finding, warn
from advisor.case import Case

COSTLY = True

ON = ("grad_checkpointing",)


def check(case: Case) -> Finding | None:
    """Without gradient checkpointing every layer's activations stay."""
    if case.query.grad_checkpointing not in (False, "false", "none") or not case.sized:
        return None
    saved = case.lean.device - case.need(case.stacks[0], grad_checkpointing=True).device
    return warn(saved=saved) if saved > 0 else None

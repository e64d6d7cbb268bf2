"""ZeRO-2 splits gradients and optimizer states, which LoRA hardly has; every card keeps all weights.

Source: ZeRO, arXiv:1910.02054, sec. 5.
"""

from advisor.advice import Finding, correct
from advisor.case import Case

ON = ("sharding",)


def check(case: Case) -> Finding | None:
    """ZeRO-2 splits gradients and optimizer states, which LoRA hardly has; every card keeps all weights."""
    if case.query.sharding not in ("zero1", "zero2") or case.full:
        return None
    return correct(weights=case.lean.components.get("weights", 0) if case.sized else None)

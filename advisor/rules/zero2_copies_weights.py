"""ZeRO-2 splits gradients and optimizer states, which LoRA hardly has; every card keeps all weights.

Source: ZeRO, arXiv:1910.02054, sec. 5.
"""

from advisor.advice import Finding, correct, stop
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.stacks import FOUR_BIT

WEIGHTS, STATES = 2, 14
"""Bytes a parameter: the 16-bit copy on every card; gradients, fp32 copy and Adam's moments, which are split."""

ON = ("sharding",)


def check(case: Case) -> Finding | None:
    """ZeRO-2 splits gradients and optimizer states, which LoRA hardly has; every card keeps all weights."""
    if case.query.sharding not in ("zero1", "zero2") or "killed" in case.symptoms:
        return None  # what the kernel ended was short of RAM
    if "asks_stages" in case.symptoms and not case.symptoms & FAILURES:
        return None  # who asks what they are plans none of them
    if case.full:
        return _every_weight(case)
    return correct(
        weights=case.lean.components.get("weights", 0) if case.sized else None,
        full=False,
        four_bit=case.method in FOUR_BIT,
    )


def _every_weight(case: Case) -> Finding | None:
    """Where a run with all weights failed: what each card holds beside its share of the states."""
    if not case.symptoms & FAILURES or not case.params or case.n_cards < 2:
        return None
    weights, states = WEIGHTS * case.params, STATES * case.params
    return stop(full=True, weights=weights, states=states // case.n_cards, count=case.n_cards, all=weights + states)

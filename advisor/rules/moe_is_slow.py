"""A mixture of experts trains slower than its active parameters promise.

Source: Unsloth and Axolotl notes on MoE kernels (grouped GEMM, ScatterMoE); QUESTIONS.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import FOUR_BIT

ON = ("slow", "no_gain", "low_use", "expects_speed")


def check(case: Case) -> Finding | None:
    """A mixture of experts trains slower than its active parameters promise."""
    if "no_gain" in case.symptoms and case.n_cards > 1:
        return None
    moe = case.model is not None and case.model.moe
    counts = "counts_active" in case.symptoms
    waits = "low_use" in case.symptoms
    slow = waits or not case.symptoms.isdisjoint({"slow", "no_gain"})
    if not (slow and (moe or counts)) and not (counts and "expects_speed" in case.symptoms):
        return None
    return stop(four_bit=moe and case.method in FOUR_BIT, waits=waits, params=case.params if moe else None)

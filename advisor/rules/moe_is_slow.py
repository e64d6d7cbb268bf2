"""A mixture of experts trains slower than its active parameters promise.

Source: Unsloth and Axolotl notes on MoE kernels (grouped GEMM, ScatterMoE); QUESTIONS.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import FOUR_BIT

ON = ("slow", "no_gain", "low_use")


def check(case: Case) -> Finding | None:
    """A mixture of experts trains slower than its active parameters promise."""
    if "no_gain" in case.symptoms and case.n_cards > 1:
        return None
    moe = case.model is not None and case.model.moe
    if not moe and not {"counts_active", "slow"} <= case.symptoms:
        return None
    waits = "low_use" in case.symptoms
    if not waits and case.symptoms.isdisjoint({"slow", "no_gain"}):
        return None
    return stop(four_bit=moe and case.method in FOUR_BIT, waits=waits, params=case.params if moe else None)

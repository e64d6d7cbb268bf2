"""A mixture of experts trains slower than its active parameters promise.

Source: Unsloth and Axolotl notes on MoE kernels (grouped GEMM, ScatterMoE); QUESTIONS.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import FOUR_BIT

ON = ("slow", "no_gain")


def check(case: Case) -> Finding | None:
    """A mixture of experts trains slower than its active parameters promise."""
    if "no_gain" in case.symptoms and case.n_cards > 1:
        return None
    if case.model is None or not case.model.moe or not case.symptoms & {"slow", "no_gain"}:
        return None
    return stop(four_bit=case.method in FOUR_BIT)

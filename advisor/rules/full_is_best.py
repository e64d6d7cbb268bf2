"""Full fine-tuning is no upper bound of quality: it forgets more and wants its own learning rate.

Source: LoRA Learns Less and Forgets Less, arXiv:2405.09673.
"""

from advisor.advice import Finding, correct
from advisor.case import Case

ON = ("full_is_best",)


def check(case: Case) -> Finding | None:
    """Full fine-tuning is no upper bound of quality: it forgets more and wants its own learning rate."""
    return correct() if "full_is_best" in case.claims else None

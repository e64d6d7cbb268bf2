"""Rank 128 and more on all layers costs gigabytes and is seldom better.

Source: LoRA, arXiv:2106.09685, sec. 7.2; estimator term adapters.
"""

from advisor.advice import Finding, correct, warn
from advisor.asked import FAILURES
from advisor.case import Case

HIGH = 128

ON = ("lora_rank",)


def check(case: Case) -> Finding | None:
    """Rank 128 and more on all layers costs gigabytes and is seldom better."""
    rank = case.query.lora_rank
    if rank is None or rank < HIGH or not case.sized or case.full:
        return None
    parts = case.lean.components
    speak = correct if case.symptoms & FAILURES else warn
    return speak(rank=rank, adapters=parts.get("adapters", 0) + parts.get("optimizer", 0) + parts.get("gradients", 0))

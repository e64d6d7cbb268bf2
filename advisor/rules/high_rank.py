"""Rank 128 and more on all layers costs gigabytes and is seldom better.

Source: LoRA, arXiv:2106.09685, sec. 7.2; estimator term adapters.
"""

from advisor.advice import Finding, correct, stop, warn
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.stacks import GOOD

HIGH, USUAL = 128, 16

ON = ("lora_rank",)


def check(case: Case) -> Finding | None:
    """Rank 128 and more on all layers costs gigabytes and is seldom better."""
    rank = case.query.lora_rank
    if rank is None or rank < HIGH or not case.sized or case.full:
        return None
    parts = case.lean.components
    adapters = parts.get("adapters", 0) + parts.get("optimizer", 0) + parts.get("gradients", 0)
    if not case.symptoms & FAILURES:
        return warn(rank=rank, adapters=adapters, usual=None)
    now, usual = case.plain, case.need(case.stacks[-1], lora_rank=USUAL)
    if now.fit not in (None, *GOOD) and usual.fit in GOOD:
        return stop(rank=rank, adapters=max(adapters, now.device - usual.device), usual=usual.device)
    return correct(rank=rank, adapters=adapters, usual=None)

"""ZeRO-3 gathers all weights in every layer: what took longer than elsewhere is slow by it first.

Source: ZeRO, arXiv:1910.02054, sec. 7.2.2 (1.5 times the communication of DDP); DeepSpeed, ZeRO stages.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.query import Kind

ON = ("sharding",)


def check(case: Case) -> Finding | None:
    """ZeRO-3 gathers all weights in every layer."""
    slow = case.query.took_hours is not None or "slow" in case.symptoms
    if case.query.sharding != "zero3" or not slow or case.query.offload not in (None, "none"):
        return None
    return stop() if case.query.kind is Kind.TRAINER_CHOICE else None

"""More cards, no more speed: what eats the gain. No memory table, since memory is not the question."""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.parallel import SPLIT
from advisor.query import Kind


def no_gain(case: Case) -> Advice:
    """What eats the gain of more cards."""
    gpu = case.gpu
    facts: dict[str, Any] = {
        **case.where,
        "nvlink": bool(gpu.nvlink) if gpu else None,
        "nvlink_named": "nvlink_pools_memory" in case.claims,
        "consumer": gpu.segment == "consumer" if gpu else None,
        "nodes": case.query.nodes or 1,
        "split": case.query.sharding in SPLIT or case.full,
        "names": [],
    }
    return Advice(
        kind=Kind.MULTI_GPU,
        query=case.query,
        verdict=Verdict(code="no_gain", facts=facts),
        offers=("kind=fits_check", "kind=time_estimate"),
    )

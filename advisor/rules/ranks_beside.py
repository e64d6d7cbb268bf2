"""Two ranks side by side: what the larger one takes more.

Source: estimator; "LoRA Without Regret" (Thinking Machines, 2025) on what a rank holds.
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.query import Kind

ON = ("named",)
COSTLY = True
KINDS = frozenset({Kind.FITS_CHECK, Kind.WHICH_GPU, Kind.CONTEXT_LENGTH, Kind.OOM_HELP, Kind.COMPARE_GPUS})


def check(case: Case) -> Finding | None:
    """Two ranks side by side: what the larger one takes more."""
    ranks = sorted({int(rank) for rank in case.query.named.get("lora_rank", ())})
    if len(ranks) < 2 or not case.sized or case.full or case.query.kind not in KINDS:
        return None
    needs = [case.need(case.stacks[0], lora_rank=rank) for rank in (ranks[0], ranks[-1])]
    facts: dict[str, Any] = {"low": ranks[0], "high": ranks[-1], "stack": needs[0].stack}
    facts |= {"needs": [need.device for need in needs], "more": needs[1].device - needs[0].device}
    return stop(**facts, model=case.model_name, method=case.method)

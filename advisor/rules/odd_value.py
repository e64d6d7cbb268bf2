"""A batch or a rank beyond what anybody trains with is a slip: ask before it is computed with.

Source: usual values: micro batch 1-64, rank 4-512.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ODD_BATCH, ODD_RANK = 512, 2048

ON = ("micro_batch", "lora_rank")


def check(case: Case) -> Finding | None:
    """A batch or a rank beyond what anybody trains with is a slip: ask before it is computed with."""
    batch, rank = case.query.micro_batch or 0, case.query.lora_rank or 0
    if batch < ODD_BATCH and rank < ODD_RANK:
        return None
    return stop(batch=batch if batch >= ODD_BATCH else None, rank=rank if rank >= ODD_RANK else None)

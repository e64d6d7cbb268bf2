"""mlx-lm trains with batch 4 and without gradient checkpointing unless told: long examples fill a Mac.

Source: mlx_lm.lora, its defaults (batch_size 4, grad_checkpoint false, num_layers 16).
"""

from advisor.advice import Finding, stop
from advisor.asked import FAILURES, OF_MACS
from advisor.case import Case

ON = ("apple_card", "os", "trainer")


def check(case: Case) -> Finding | None:
    """mlx-lm trains with batch 4 and without gradient checkpointing unless told: long examples fill a Mac."""
    query = case.query
    if (
        not (case.apple or (case.vendor == "apple" and not case.cards))
        or query.algorithm
        or query.grad_checkpointing is True
        or query.trainer not in (None, *OF_MACS)
    ):
        return None
    if not (query.seen_gib or case.symptoms & FAILURES):
        return None
    return stop(batch=query.micro_batch, seen=bool(query.seen_gib and not case.symptoms & FAILURES))

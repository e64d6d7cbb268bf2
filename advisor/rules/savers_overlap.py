"""Unsloth's loss and Liger's do the same: they do not add up; a fused loss and offloaded checkpoints do.

Source: facts/trainers: unsloth (chunked loss), FAQ fused-loss; LLaMA-Factory issue on 128k context: Liger with
`use_unsloth_gc` (https://github.com/hiyouga/LLaMA-Factory, 2024-11).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("asks_stacking",)


def check(case: Case) -> Finding | None:
    """Unsloth's loss and Liger's do not add up; a fused loss and offloaded checkpoints do."""
    query = case.query
    both = query.fused_loss and (query.trainer == "unsloth" or query.grad_checkpointing == "unsloth")
    return stop() if "asks_stacking" in case.symptoms and both else None

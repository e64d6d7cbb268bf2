"""What makes one trainer train all weights in less memory than another: settings that the other one has as well.

Facts: seen (bytes as the asker saw them), lean (bf16 weights, 8-bit AdamW, checkpointing and a chunked loss in Hugging
Face's trainer), backward (with the optimizer's step in the backward pass as well), asked.

Source: torchtune documentation, "Memory Optimization Overview"; TRL documentation, "Reducing Memory Usage"; the step in
the backward pass: LOMO, arXiv:2306.09782.
"""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import FULL_8BIT, MASTER_8BIT, TRL, Stack


def are_asked(case: Case) -> bool:
    """All weights are trained, and what was seen is held against what a table says of a trainer."""
    if not (case.full and case.sized and case.query.seen_gib and case.query.trainer):
        return False
    return "table_covers_me" in case.claims and not case.symptoms & FAILURES


def told(case: Case) -> Advice:
    """The settings, and what they come to in the trainer that is already there."""
    changes = (MASTER_8BIT if case.no_bf16 else FULL_8BIT).changes
    stack = Stack(TRL.code, TRL.trainer, changes)
    lean = case.need(stack, fused_loss=True, n_gpus=1, sharding="none", **dict(changes))
    backward = case.need(stack, fused_loss=True, optimizer_in_backward=True, n_gpus=1, sharding="none", **dict(changes))
    facts: dict[str, Any] = {
        "seen": case.seen,
        "lean": lean.device,
        "backward": backward.device,
        "no_bf16": case.no_bf16,
        "asked": case.query.trainer,
        "usable": case.usable,
    }
    return Advice(
        kind=Kind.TRAINER_CHOICE,
        query=case.query,
        verdict=Verdict(code="tricks", facts=facts),
        setup=case.setup,
        needs=(lean, backward),
        offers=("show=config", "method=lora", "show=why"),
    )

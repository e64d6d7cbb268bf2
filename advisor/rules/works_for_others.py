"""The same model runs for others on such a card: what differs is the number format, the length, the batch or
checkpointing, and between their ends lies a multiple.

Source: estimator; Micikevicius et al., Mixed Precision Training, arXiv:1710.03740; Chen et al., arXiv:1604.06174.
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case

SHORT = 512
"""Tokens of a frugal run."""
USUAL_BATCH = 8
"""The Trainer's own batch."""
ABOUT = frozenset({"should_fit", "length", "close", "too_big", "method", "contrast"})
"""Answers about the size of a training step."""

ON = ("works_for_others",)


def check(case: Case) -> Finding | None:
    """What may differ between a run that dies and the same one of others, and what that makes of the need."""
    if "works_for_others" not in case.symptoms or not case.symptoms & FAILURES or not case.sized:
        return None
    if case.advice is None or case.advice.verdict.code not in ABOUT or case.apple:
        return None
    stack, query = case.stacks[-1], case.query
    short = min(SHORT, case.seq_len)
    batch = 1 if query.micro_batch == 1 else max(query.micro_batch or 0, USUAL_BATCH)
    lean: dict[str, Any] = {"seq_len": short, "micro_batch": 1, "grad_checkpointing": True}
    rich: dict[str, Any] = {"micro_batch": batch, "grad_checkpointing": False}
    if case.full:
        rich |= {"autocast": False, "compute_dtype": "fp32"}
    low, high = case.need(stack, **lean), case.need(stack, **rich)
    if case.full and low.fit == "no":
        return None  # no such setting makes all weights fit: the answer says what others train
    return stop(
        low=low.device,
        high=high.device,
        short=short,
        length=case.seq_len,
        batch=batch,
        full=case.full,
        usable=case.usable,
        vocab=case.setup.vocab,
    )

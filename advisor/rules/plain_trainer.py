"""A stock stack on one card wastes memory that an optimised trainer would leave free (S50).

Source: S50; estimator, stock against fused loss.
"""

from advisor.advice import Finding, note
from advisor.case import Case
from advisor.stacks import UNSLOTH

STOCK = frozenset({"trl", "hf"})
"""Trainers that take the library's own loss and kernels."""

COSTLY = True

ON = ("trainer",)


def check(case: Case) -> Finding | None:
    """A stock stack on one card wastes memory that an optimised trainer would leave free (S50)."""
    if (
        case.query.trainer not in STOCK
        or case.n_cards > 1
        or not case.sized
        or case.full
        or case.apple
        or case.query.algorithm
    ):
        return None
    saved = case.lean.device - case.need(UNSLOTH, n_gpus=1, sharding="none", fused_loss=None).device
    return note(trainer=case.query.trainer, saved=saved) if saved > 0.05 * case.lean.device else None

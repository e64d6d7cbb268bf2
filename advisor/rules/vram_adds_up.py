"""Memory of several cards is no common pool: a copy per card (DDP) needs the whole model on each.

Source: PyTorch documentation, DistributedDataParallel (every process holds a replica); QUESTIONS: the most frequent
error.
"""

from advisor.advice import Finding, correct
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.estimator.sharding import SHARDED
from advisor.machine import too_large_for_one
from advisor.query import Kind

APART = frozenset({"eval", "generate", "save"})
"""Answers on what is no training step: what several cards hold together is beside the point."""

ON = ("vram_adds_up",)


def check(case: Case) -> Finding | None:
    """Memory of several cards is no common pool: a copy per card (DDP) needs the whole model on each."""
    if case.query.sharding in (*SHARDED, "zero1", "zero2"):
        return None  # split is what they do, or what another rule speaks of
    shown = case.advice is not None and (case.advice.kind is Kind.MULTI_GPU or case.advice.verdict.code in APART)
    if "vram_adds_up" not in case.claims or case.n_cards < 2 or shown:
        return None
    died = case.symptoms & (FAILURES | {"one_card_used", "uneven"})  # else nobody looks for the setting that splits it
    return correct(count=case.n_cards, usable=case.usable, whole=too_large_for_one(case) if died else None)

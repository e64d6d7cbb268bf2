"""Another trainer takes less for the same run: what it keeps leaner, and that it is the same training.

Source: torchtune, memory optimisation overview (optimizer in backward, activation checkpointing and offloading, chunked
loss; https://pytorch.org/torchtune, 2026-11); Liger kernels, arXiv:2410.10989; estimator.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import ALL_ON_ONE, FULL_8BIT, FULL_ADAMW, STOCK

ON = ("leaner_elsewhere",)
KINDS = frozenset({Kind.OOM_HELP, Kind.FITS_CHECK, Kind.TRAINER_CHOICE, Kind.METHOD_CHOICE, Kind.FAQ_DEFINITION})


def check(case: Case) -> Finding | None:
    """What both take by our count, and what brings the leaner figure to the other trainer."""
    if "leaner_elsewhere" not in case.symptoms or not case.sized or case.query.kind not in KINDS:
        return None
    if case.query.trainer is None:
        return None
    if case.full or "full" in case.query.named.get("method", ()):
        lean = case.need(FULL_8BIT, method="full", **ALL_ON_ONE)
        heavy = case.need(FULL_ADAMW, method="full", optimizer="adamw", autocast=True, trainer="hf", **ALL_ON_ONE)
        return stop(full=True, lean=lean.device, heavy=heavy.device, tokens=case.seq_len)
    lean = case.need(case.stacks_of_one[0], trainer="unsloth", **ALL_ON_ONE)
    heavy = case.need(STOCK, trainer="hf", **ALL_ON_ONE)
    return stop(full=False, lean=lean.device, heavy=heavy.device, tokens=case.seq_len)

"""Gradient accumulation keeps one set of gradients, whatever the number of micro steps.

Source: estimator terms; in a pipeline several micro batches are in flight (GPipe, arXiv:1811.06965).
"""

from advisor.advice import Finding, correct
from advisor.case import Case

PIPELINES = frozenset({"qlora-pipe", "diffusion-pipe"})
"""Trainers that split a model layer by layer and keep several micro batches in flight."""

ON = ("accumulation_costs",)


def check(case: Case) -> Finding | None:
    """Gradient accumulation keeps one set of gradients, whatever the number of micro steps."""
    if "accumulation_costs" not in case.claims:
        return None
    return correct(pipeline=case.query.sharding == "pipeline" or case.query.trainer in PIPELINES)

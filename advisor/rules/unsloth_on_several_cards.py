"""Older Unsloth releases use one card only; launched on several, all processes land on the first.

Source: facts/trainers: unsloth, multi_gpu.
"""

from advisor.advice import Finding, warn
from advisor.case import Case


def check(case: Case) -> Finding | None:
    """Older Unsloth releases use one card only; launched on several, all processes land on the first."""
    if case.query.trainer != "unsloth" or case.n_cards < 2:
        return None
    return warn(count=case.n_cards)

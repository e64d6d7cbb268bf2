"""That a model runs says little about training it.

Source: S01.
"""

from advisor.advice import Finding, correct
from advisor.case import Case

FAR = 1.5
"""Times the 16-bit weights above which what a running model takes is not the model."""

ON = ("inference_is_training",)


def check(case: Case) -> Finding | None:
    """That a model runs says little about training it."""
    if "inference_is_training" not in case.claims:
        return None
    weights = 2 * (case.params or 0)
    trains = case.lean.device if case.sized else 0
    return correct(
        weights=weights if case.seen > FAR * weights > 0 else None,
        seen=case.seen,
        trains=trains if trains > weights else None,
        runs=weights,
    )

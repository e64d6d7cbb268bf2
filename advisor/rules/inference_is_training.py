"""That a model runs says little about training it.

Source: S01.
"""

from advisor.advice import Finding, correct
from advisor.case import Case

ON = ("inference_is_training",)


def check(case: Case) -> Finding | None:
    """That a model runs says little about training it."""
    return correct() if "inference_is_training" in case.claims else None

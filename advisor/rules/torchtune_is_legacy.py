"""torchtune is no longer developed.

Source: issue meta-pytorch/torchtune #2883 (2025-07-15).
"""

from advisor.advice import Finding, note
from advisor.case import Case

ON = ("trainer",)


def check(case: Case) -> Finding | None:
    """torchtune is no longer developed."""
    return note() if case.query.trainer == "torchtune" else None

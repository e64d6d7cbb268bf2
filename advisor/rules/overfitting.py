"""Training loss falls, evaluation loss rises.

Source: S53.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.query import Kind

ON = ("overfit",)


def check(case: Case) -> Finding | None:
    """Training loss falls, evaluation loss rises."""
    return warn() if "overfit" in case.symptoms and case.query.kind is not Kind.DATA_SIZE_QUALITY else None

"""A large data set needs one epoch.

Source: common practice of instruction tuning; S53.
"""

from advisor.advice import Finding, note
from advisor.case import Case

MANY = 200_000


def check(case: Case) -> Finding | None:
    """A large data set needs one epoch."""
    examples, epochs = case.query.dataset_examples, case.query.epochs
    return note(examples=examples) if examples and examples > MANY and (epochs is None or epochs > 1) else None

"""A large data set needs one epoch.

Source: common practice of instruction tuning; S53.
"""

from advisor.advice import Finding, note
from advisor.case import Case

MANY = 200_000

ON = ("dataset_examples",)


def check(case: Case) -> Finding | None:
    """A large data set needs one epoch."""
    examples = case.query.dataset_examples
    return note(examples=examples) if examples and examples > MANY else None

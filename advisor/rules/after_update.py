"""A run that worked with an older version: a regression is possible.

Source: release notes and issues of Unsloth and transformers; QUESTIONS.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("after_update",)


def check(case: Case) -> Finding | None:
    """A run that worked with an older version: a regression is possible."""
    return stop() if "after_update" in case.symptoms else None

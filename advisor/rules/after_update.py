"""A run that worked with an older version: a regression is possible.

Source: release notes and issues of Unsloth and transformers; QUESTIONS.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("after_update",)


def check(case: Case) -> Finding | None:
    """A run that worked with an older version: a regression is possible."""
    if case.advice is not None and case.advice.verdict.code == "normal":
        return None  # the answer says it, after the figures
    return stop() if "after_update" in case.symptoms else None

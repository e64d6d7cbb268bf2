"""The sample data ran and one's own did not: its longest example is longer.

Source: data collators pad to the longest example of a batch (Hugging Face transformers); S53.
"""

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case

ON = ("own_data_is_longer",)


def check(case: Case) -> Finding | None:
    """The sample data ran and one's own did not: its longest example is longer."""
    return stop() if "own_data_is_longer" in case.claims and case.symptoms & FAILURES else None

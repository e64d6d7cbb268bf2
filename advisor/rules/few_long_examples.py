"""A few examples are far longer than the rest: they set the memory, and need not.

Source: data collators pad to the longest example of a batch (Hugging Face transformers); FAQ context-length.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("few_long",)


def check(case: Case) -> Finding | None:
    """A few examples are far longer than the rest."""
    return stop() if "few_long" in case.symptoms else None

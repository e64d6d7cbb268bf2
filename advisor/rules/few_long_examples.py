"""A few examples are far longer than the rest: they set the memory, and need not.

Source: data collators pad to the longest example of a batch (Hugging Face transformers); FAQ context-length.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.query import Kind

ABOUT_LENGTH = frozenset({Kind.CONTEXT_LENGTH, Kind.OOM_HELP, Kind.FITS_CHECK, Kind.DATA_SIZE_QUALITY})

ON = ("few_long",)


def check(case: Case) -> Finding | None:
    """A few examples are far longer than the rest."""
    return stop() if "few_long" in case.symptoms and case.query.kind in ABOUT_LENGTH else None

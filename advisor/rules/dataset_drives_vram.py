"""The number of examples sets the duration, not the memory; the longest example sets the memory.

Source: a step holds one micro batch, whatever the data set's size.
"""

from advisor.advice import Finding, correct, stop
from advisor.case import Case
from advisor.query import Kind

ON = ("dataset_drives_vram",)


def check(case: Case) -> Finding | None:
    """The number of examples sets the duration, not the memory; the longest example sets the memory."""
    if "dataset_drives_vram" not in case.claims:
        return None
    return stop() if case.query.kind is Kind.FITS_CHECK and not case.sized else correct()  # it is all that is asked

"""The number of examples sets the duration, not the memory; the longest example sets the memory.

Source: a step holds one micro batch, whatever the data set's size.
"""

from advisor.advice import Finding, correct
from advisor.case import Case

ON = ("dataset_drives_vram",)


def check(case: Case) -> Finding | None:
    """The number of examples sets the duration, not the memory; the longest example sets the memory."""
    return correct() if "dataset_drives_vram" in case.claims else None

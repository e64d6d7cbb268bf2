"""A training loss that goes flat early says little: the validation loss tells when to stop.

Source: faq/loss-stuck; LIMA, arXiv:2305.11206, sec. 2 (format is learnt from few examples).
"""

from advisor.advice import Finding, warn
from advisor.case import Case

ON = ("loss_flat",)


def check(case: Case) -> Finding | None:
    """A training loss that goes flat early says little: the validation loss tells when to stop."""
    return warn() if "loss_flat" in case.symptoms else None

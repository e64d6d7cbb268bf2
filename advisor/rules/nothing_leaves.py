"""Data that stay at home, or a machine without internet, where the asker's own card holds the run.

Source: faq/internet-needed; 2 bytes a weight in 16 bit.
"""

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.verdicts import FITS

ON = ("offline", "stays_home")


def check(case: Case) -> Finding | None:
    """What it takes to train offline; that nothing leaves the machine."""
    if case.advice is None or not case.sized or not case.cards or case.advice.verdict.code not in FITS:
        return None
    if "offline" in case.symptoms:
        return warn(offline=True, weights=2 * (case.params or 0))
    return warn(offline=False) if "stays_home" in case.symptoms else None

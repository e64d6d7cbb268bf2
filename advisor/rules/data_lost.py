"""Fewer examples than rows: packing joined them, or a filter dropped the too long ones.

Source: TRL and Axolotl documentation on packing; QUESTIONS.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("data_lost",)


def check(case: Case) -> Finding | None:
    """Fewer examples than rows: packing joined them, or a filter dropped the too long ones."""
    return stop() if "data_lost" in case.symptoms else None

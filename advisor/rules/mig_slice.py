"""A MIG slice is a card of its own size; nvidia-smi shows the whole card beside it.

Source: NVIDIA, MIG User Guide (https://docs.nvidia.com/datacenter/tesla/mig-user-guide/, 2026-11).
"""

from advisor.advice import Finding, stop, warn
from advisor.asked import FAILURES
from advisor.case import Case

ON = ("mig_slice",)


def check(case: Case) -> Finding | None:
    """A MIG slice is a card of its own size."""
    if "mig_slice" not in case.symptoms:
        return None
    speak = stop if case.symptoms & FAILURES else warn
    return speak(usable=case.usable)

"""Mixed precision keeps fp32 master weights and Adam states.

Source: Mixed Precision Training, arXiv:1710.03740; ZeRO, arXiv:1910.02054: 16 bytes per parameter.
"""

from advisor.advice import Finding, correct
from advisor.case import Case
from advisor.stacks import STATES

ON = ("fp16_halves_all",)


def check(case: Case) -> Finding | None:
    """Mixed precision keeps fp32 master weights and Adam states."""
    if "fp16_halves_all" not in case.claims:
        return None
    return correct(states=STATES * case.params if case.params else None)

""" "Killed", -9 and exit code 137 mean that the kernel ended the process for lack of system RAM.

Source: Linux kernel documentation, out-of-memory killer.
"""

from advisor.advice import Finding, correct
from advisor.case import Case
from advisor.query import Kind

ON = ("killed_is_vram", "killed")


def check(case: Case) -> Finding | None:
    """ "Killed", -9 and exit code 137 mean that the kernel ended the process for lack of system RAM."""
    if not ("killed_is_vram" in case.claims or "killed" in case.symptoms) or case.query.kind in (
        Kind.OOM_HELP,
        Kind.SYSTEM_RAM,
    ):
        return None
    if case.advice and case.advice.kind is Kind.SYSTEM_RAM:
        return None
    return correct(load=2 * case.params if case.params else None, ranks=-(-case.n_cards // (case.query.nodes or 1)))

"""Out of memory after many steps is mostly one long batch, not a leak.

Source: QUESTIONS: dynamic padding follows the longest example of a batch.
"""

from advisor.advice import Finding, correct
from advisor.case import Case
from advisor.query import Kind

SAID = frozenset({"later", "too_big", "eval", "save", "killed"})
"""Causes whose answer says it, or that are another one."""

ON = ("leak_after_steps", "oom_later")


def check(case: Case) -> Finding | None:
    """Out of memory after many steps is mostly one long batch, not a leak."""
    said = "leak_after_steps" in case.claims or "oom_later" in case.symptoms
    if not said or (case.advice and case.advice.verdict.code in SAID and case.advice.kind is Kind.OOM_HELP):
        return None
    believed = "leak_after_steps" in case.claims
    if not believed and (case.query.packing or (case.advice and case.advice.verdict.code == "asked_fits_with")):
        return None  # packed rows are all as long; else the answer says it
    states = case.advice is not None and case.advice.verdict.code == "states"
    return correct(believed=believed, states=states)

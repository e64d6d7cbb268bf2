"""Where others use the same cards, what counts is the memory that is free on the fullest of them.

Source: CUDA hands out what no other process holds; a data-parallel step needs it on every card at once.
"""

from advisor.advice import Finding, stop, warn
from advisor.asked import FAILURES
from advisor.case import Case

ON = ("shared_card", "taken_by_others")


def check(case: Case) -> Finding | None:
    """What counts is the memory that is free on the fullest card."""
    taken = "taken_by_others" in case.symptoms
    if not (taken or "shared_card" in case.symptoms) or case.apple:
        return None
    need = case.plain.device if case.sized else None
    held = case.seen if taken else 0
    left = case.usable - held if case.usable and 0 < held < case.usable else None
    speak = stop if taken and case.symptoms & FAILURES else warn
    return speak(several=case.n_cards > 1, need=need, usable=case.usable, held=held or None, left=left, taken=taken)

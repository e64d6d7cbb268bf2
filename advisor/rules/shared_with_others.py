"""Where others use the same cards, what counts is the memory that is free on the fullest of them.

Source: CUDA hands out what no other process holds; a data-parallel step needs it on every card at once.
"""

from advisor.advice import Finding, warn
from advisor.case import Case

ON = ("shared_card",)


def check(case: Case) -> Finding | None:
    """What counts is the memory that is free on the fullest card."""
    if "shared_card" not in case.symptoms or case.apple:
        return None
    need = case.needs()[-1].device if case.sized else None
    return warn(several=case.n_cards > 1, need=need, usable=case.usable)

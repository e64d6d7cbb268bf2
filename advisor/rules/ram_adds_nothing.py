"""More RAM to train a larger model: the card's memory decides which one.

Source: S52; topics.sizes.
"""

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.topics.sizes import trains

COSTLY = True

ON = ("more_ram",)


def check(case: Case) -> Finding | None:
    """That RAM adds nothing to the card's memory, and what the card trains."""
    if "more_ram" not in case.symptoms or case.usable is None or case.one_memory or case.query.offload:
        return None
    if case.symptoms & FAILURES or "killed" in case.symptoms:
        return None  # there it may be RAM that lacks
    return stop(largest=trains(case), **case.where)

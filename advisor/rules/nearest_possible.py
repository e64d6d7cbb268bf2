"""When no change makes the plan fit: the largest model that this card trains.

Source: estimator.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.changes import largest_that_fits
from advisor.refused import four_bit_runs
from advisor.stacks import GOOD, UNSLOTH

COSTLY = True


def check(case: Case) -> Finding | None:
    """When no change makes the plan fit: the largest model that this card trains."""
    advice = case.advice
    if (
        advice is None
        or not case.sized
        or case.usable is None
        or advice.verdict.code not in ("no", "none_fits", "too_big", "unlikely", "none", "asked_too_long")
    ):
        return None
    if any(change.fit in GOOD for change in advice.changes) or advice.verdict.facts.get("four_on_one"):
        return None
    method = "qlora" if four_bit_runs(case) else "lora"
    found = largest_that_fits(case, UNSLOTH if not case.apple else case.stacks[0], method)
    return stop(
        method=method, size=found[0] if found else None, device=found[1].device if found else None, usable=case.usable
    )

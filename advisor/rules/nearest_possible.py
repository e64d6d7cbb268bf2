"""When no change makes the plan fit: the largest model that this card trains.

Source: estimator.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.changes import largest_that_fits
from advisor.estimator.usable import DESKTOP_BYTES
from advisor.refused import four_bit_runs
from advisor.stacks import GOOD, UNSLOTH

COSTLY = True
SHOW = frozenset({"consumer", "laptop"})
"""Cards that a screen is likely to be on."""


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
    found = largest_that_fits(case, UNSLOTH if case.tensor_cores and not case.apple else case.stacks[0], method)
    shows = case.gpu is not None and case.gpu.segment in SHOW and case.gpu.vendor == "nvidia"
    return stop(
        method=method,
        size=found[0] if found else None,
        device=found[1].device if found else None,
        usable=case.usable,
        bare=found is not None and shows and found[1].device > case.usable - DESKTOP_BYTES,
    )

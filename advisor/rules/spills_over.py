"""A run that is quick at first and then crawls, without an error: on Windows its memory runs over into system RAM.

Source: NVIDIA, CUDA Sysmem Fallback Policy (driver 536.40 and later; Windows and WSL); unsloth#3943.
"""

from advisor.advice import Finding, stop
from advisor.asked import FAILURES
from advisor.case import Case

ON = ("gets_slower", "seen_s_per_step")
PAIR, TIMES = 2, 3.0
"""Two speeds of a step of which the later is so many times the earlier."""
ROOM = 0.92
"""Share of the card up to which nothing is pushed out."""


def check(case: Case) -> Finding | None:
    """Say what made it slow, and how to see it."""
    if not (grew(case) or "gets_slower" in case.symptoms) or case.symptoms & FAILURES or case.n_cards > 1:
        return None
    if case.vendor not in (None, "nvidia"):
        return None
    seen = [float(second) for second in case.query.named.get("seen_s_per_step", ())]
    return stop(
        windows=(case.query.os or "").startswith("windows"),
        linux=case.query.os == "linux",
        seen=[(second, second) for second in seen[:PAIR]] if grew(case) else None,
        keep=int(ROOM * case.usable) if case.usable else None,
    )


def grew(case: Case) -> bool:
    """Two speeds of the same run, the later one far slower."""
    seen = [float(second) for second in case.query.named.get("seen_s_per_step", ())]
    if len(case.query.named.get("method", ())) == PAIR:
        return False  # one speed of each method
    return len(seen) == PAIR and case.n_cards == 1 and len(case.gpus) < PAIR and seen[1] >= TIMES * seen[0]

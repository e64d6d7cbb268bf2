"""More cards, or a faster one, and no faster: the host, the exchange or a small batch eats the gain.

Source: reports in QUESTIONS (two A100 slower than one, an H100 box slower than an A100 box).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("no_gain",)


def check(case: Case) -> Finding | None:
    """More cards, or a faster one, and no faster: the host, the exchange or a small batch eats the gain."""
    if "no_gain" not in case.symptoms or (case.advice and case.advice.verdict.code == "no_gain"):
        return None
    if case.n_cards < 2 and len(case.gpus) < 2:
        return None  # two trainers or settings, not two cards
    return stop(count=case.n_cards if len(case.gpus) < 2 else 1)

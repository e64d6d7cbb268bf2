"""More cards, or a faster one, and no faster: the host, the exchange or a small batch eats the gain.

Source: reports in QUESTIONS (two A100 slower than one, an H100 box slower than an A100 box).
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import UNSLOTH, short_name
from advisor.topics.usual import EIGHT_B

ON = ("no_gain",)
PAIR = 2


def check(case: Case) -> Finding | None:
    """More cards, or a faster one, and no faster: the host, the exchange or a small batch eats the gain."""
    if "no_gain" not in case.symptoms or (case.advice and case.advice.verdict.code == "no_gain"):
        return None
    if case.n_cards < 2 and len(case.gpus) < 2:
        return None  # two trainers or settings, not two cards
    return stop(count=case.n_cards if len(case.gpus) < 2 else 1, pair=_pair(case))


def _pair(case: Case) -> dict[str, Any] | None:
    """Of two kinds of card the faster one by the estimate, where the other, named first, is complained of."""
    if len(case.gpus) != PAIR:
        return None
    rates = [(case.tokens_per_s(UNSLOTH, gpu.name, **EIGHT_B) or 0.0, short_name(gpu)) for gpu in case.gpus]
    (own, slower), (other, faster) = rates
    return {"faster": faster, "slower": slower, "times": other / own} if own and other > own else None

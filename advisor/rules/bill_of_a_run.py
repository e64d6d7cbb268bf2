"""Hours times the price of an hour: what a run costs, and what comes on top of the run alone.

Source: godot-dodo#11 (15.5 h on 8x A100 at 12 USD: 192 USD and further hours). The hours and shares on top are ours.
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import ALL_ON_ONE, GOOD

ON = ("hourly",)
KINDS = frozenset({Kind.COST_BUY_VS_RENT, Kind.TIME_ESTIMATE})
NEAR = 0.1
"""Share by which a sum of the asker's may miss ours and still be right."""
SET_UP = (2, 4)
"""Hours that are paid for besides: download, set-up, trying what fits, evaluation, upload."""
AGAIN = (1.2, 1.5)
"""Times the run, of which some part is run again."""


def check(case: Case) -> Finding | None:
    """Say whether the sum holds, and what to plan with."""
    query = case.query
    hours = query.took_hours or _named(case, "their_hours") or (query.epochs or 0) * _named(case, "epoch_hours")
    kind = case.advice.kind if case.advice else query.kind
    if not hours or kind not in KINDS or query.dataset_examples or query.dataset_tokens or len(query.hourly) != 1:
        return None
    if case.advice is not None and case.advice.verdict.facts.get("offered"):
        return None  # the money is the price of the card
    (said,) = query.hourly.values()
    ends = said if isinstance(said, tuple) else (said, said)
    rate = tuple(end * case.n_cards for end in ends)
    bill = (hours * rate[0], hours * rate[1])
    claimed = query.budget
    plan = tuple(AGAIN[end] * (bill[end] + SET_UP[end] * rate[end]) for end in (0, 1))
    return stop(
        hours=hours,
        rate=rate,
        each=ends if case.n_cards > 1 else None,
        count=case.n_cards,
        bill=bill,
        right=None if not claimed else abs(claimed - bill[0]) <= NEAR * bill[0],
        set_up=SET_UP,
        plan=plan,
        one=_on_one(case),
    )


def _named(case: Case, name: str) -> float:
    """Hours of somebody else's run, or of one epoch, as the message has them; 0 where it has none."""
    return next((float(said) for said in case.query.named.get(name, ())), 0.0)


def _on_one(case: Case) -> bool:
    """Whether LoRA would do on one of several cards that train all weights."""
    if not case.full or not case.sized or case.usable is None or case.n_cards == 1:
        return False
    slots: dict[str, Any] = {"method": "lora", "optimizer": None, "weight_bits": None, **ALL_ON_ONE}
    return case.need(case.stacks[0], **slots).fit in GOOD

"""Cards to choose between, each held against the power supply that the asker has (S31).

Source: facts/gpus: tdp_w; what a supply must give: rules.power_and_heat.
"""

from typing import Any

from advisor.advice import Finding, warn
from advisor.case import Case
from advisor.rules.power_and_heat import LIMIT, PEAKS, REST_WATTS, supply, will_do
from advisor.stacks import short_name

ON = ("supply_w",)
SEVERAL = 2


def check(case: Case) -> Finding | None:
    """Which of them the supply feeds, which only with a power limit, and what the others want."""
    have = case.query.supply_w
    if have is None or len(case.query.candidates) < SEVERAL:
        return None
    each = [row for option in case.query.candidates if (row := _row(case, option, have)) is not None]
    return warn(have=have, each=each) if len(each) == len(case.query.candidates) else None


def _row(case: Case, option: Any, have: float) -> dict[str, Any] | None:
    """One of the choices; None where it is no card for a PC, or its draw is not known."""
    cards = case.resolve_cards(option)
    if any(card.gpu is None or not card.gpu.tdp_w or card.gpu.segment == "laptop" for card in cards) or not cards:
        return None
    watts = sum((card.gpu.tdp_w or 0) * card.count for card in cards if card.gpu)
    return {
        "cards": [{"name": short_name(card.gpu), "count": card.count} for card in cards if card.gpu],
        "watts": watts,
        "supply": supply(watts),
        "does": will_do(have, watts),
        "limit": max(LIMIT, (have / PEAKS - REST_WATTS) / watts),
    }

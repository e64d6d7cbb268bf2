"""A job too large for the cards is offloaded, and then the machine around them sets the pace, not their generation.

Source: ZeRO-Offload, arXiv:2101.06840, sec. 4 (Adam on the processor, weights and gradients over PCIe); estimator.
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import FULL_ADAMW, STATES
from advisor.tiers import cards_that_hold

ON = ("newer_is_slower",)


def check(case: Case) -> Finding | None:
    """Say what does not fit, what sets the pace then, and from how many cards on it need not be offloaded."""
    full = case.full or "full" in case.query.named.get("method", ())
    if "newer_is_slower" not in case.symptoms or not full or not case.sized or case.usable is None:
        return None
    states, room = STATES * (case.params or 0), case.n_cards * case.usable
    if states <= room and case.query.offload in (None, "none"):
        return None
    cards = cards_that_hold(case, FULL_ADAMW, case.usable, least=2, method="full")
    return stop(
        states=states,
        room=room if case.n_cards > 1 and len(case.cards) == 1 else None,
        fits=states <= room,
        cards=cards,
    )

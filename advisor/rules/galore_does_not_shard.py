"""GaLore projects whole gradients: it runs on one card, more cards only repeat it.

Source: GaLore, arXiv:2403.03507 (abstract: a 7B on 24 GB with 8-bit states and per-layer updates; the layerwise
variant is for one card); FSDP splits what GaLore needs whole.
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("several",)


def check(case: Case) -> Finding | None:
    """GaLore projects whole gradients: it runs on one card, more cards only repeat it."""
    named = {case.query.optimizer, case.query.method, *case.query.named.get("optimizer", ())}
    if case.n_cards < 2 or not named & {"galore", "galore_adamw"}:
        return None
    counts = [card.count for option in case.query.candidates for card in option]
    return stop(count=max([case.n_cards, *counts]))

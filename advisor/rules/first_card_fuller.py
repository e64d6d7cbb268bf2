"""Only the first card runs out: something lands there that belongs elsewhere.

Source: PyTorch, torch.load (map_location) and torch.cuda.set_device; accelerate, big model inference (max_memory).
"""

from advisor.advice import Finding, stop
from advisor.case import Case

ON = ("first_card_fuller",)


def check(case: Case) -> Finding | None:
    """Only the first card runs out."""
    if "first_card_fuller" not in case.symptoms or case.n_cards < 2:
        return None
    return stop(count=case.n_cards)

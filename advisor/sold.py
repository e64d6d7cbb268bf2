"""A card of a size that it never had: the question with the card as it is sold, and an answer that says so."""

from advisor.advice import Advice
from advisor.case import Case
from advisor.query import CardCount


def as_sold(case: Case) -> Case | None:
    """The question with the card as it is sold, where the asker names a size that it never had."""
    if "impossible_card" not in case.claims or case.gpu is None:
        return None
    real = tuple(CardCount(gpu=card.gpu.id, count=card.count) for card in case.cards if card.gpu is not None)
    slots = {"gpus": real, "claims": tuple(case.claims - {"impossible_card", "vram_adds_up"})}
    sold = Case(case.query.model_copy(update=slots), case.catalog)
    return sold if sold.card is not None and sold.usable != case.usable else None


def told_of(advice: Advice, case: Case) -> Advice:
    """An answer for the card as it is sold, to the question as it was asked."""
    verdict = advice.verdict.model_copy(update={"facts": {**advice.verdict.facts, "as_sold": True}})
    return advice.model_copy(update={"query": case.query, "verdict": verdict})

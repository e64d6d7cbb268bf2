"""A language comes from pretraining: a base that writes it well helps, a LoRA or full tuning of a weak one hardly does.

Source: faq/language; Alpaca-LoRA's reports on German (LLaMA 1 saw little of it).
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.options import GOOD
from advisor.tiers import others

USUAL_GB = 24
"""The card by which a larger base is judged where none is named."""


def check(case: Case) -> Finding | None:
    """A language comes from pretraining; the largest alternative named is the better base, with what it takes."""
    if "language_by_base" not in case.claims:
        return None
    larger = max((o for o in others(case) if case.sized and o["lean"] > case.lean.device), key=_need, default=None)
    card = case.card.name if case.card else ""
    usable = case.usable or case.usable_of_size(USUAL_GB)
    if larger is None:
        return stop(larger=None, need=0, fits=False, card=card, gb=USUAL_GB, method=case.method)
    fits = case.fit(case.lean.model_copy(update={"device": larger["lean"], "low": larger["lean"]}), usable) in GOOD
    return stop(larger=larger["name"], need=larger["lean"], fits=fits, card=card, gb=USUAL_GB, method=case.method)


def _need(other: dict[str, object]) -> int:
    return int(str(other["lean"]))

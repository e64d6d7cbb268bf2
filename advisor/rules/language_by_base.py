"""A language comes from pretraining: a base that writes it well helps, a LoRA or full tuning of a weak one hardly does.

Source: faq/language; Alpaca-LoRA's reports on German (LLaMA 1 saw little of it).
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import UNSLOTH
from advisor.tiers import others

QLORA: dict[str, Any] = {"method": "qlora", "weight_bits": None, "quant": None, "n_gpus": 1, "sharding": "none"}
USUAL_GB = 24
"""The card by which a larger base is judged where none is named."""

ON = ("language_by_base",)


def check(case: Case) -> Finding | None:
    """A language comes from pretraining; the largest alternative named is the better base, with what it takes."""
    if "language_by_base" not in case.claims:
        return None
    larger = max((o for o in others(case) if case.sized and o["lean"] > case.lean.device), key=_need, default=None)
    card = case.card.name if case.card else ""
    usable = case.usable or case.usable_of_size(USUAL_GB)
    if larger is None:
        return stop(larger=None, need=0, fits=False, card=card, gb=USUAL_GB, method=case.method)
    need, method = larger["lean"], case.method
    if need > usable and method == "lora":
        slots = dict(case.alternatives)[larger["name"]]
        need, method = case.need(UNSLOTH, **slots, **QLORA).device, "qlora"
    return stop(larger=larger["name"], need=need, fits=need <= usable, card=card, gb=USUAL_GB, method=method)


def _need(other: dict[str, object]) -> int:
    return int(str(other["lean"]))

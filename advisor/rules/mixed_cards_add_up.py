"""Unequal cards that share a model are limited by the smallest one.

Source: FSDP and ZeRO split evenly; see PyTorch documentation, FullyShardedDataParallel.
"""

from advisor.advice import Finding, correct
from advisor.case import Case
from advisor.query import Kind

ON = ("gpus",)


def check(case: Case) -> Finding | None:
    """Unequal cards that share a model are limited by the smallest one."""
    if (
        len({card.vram_gb for card in case.cards}) < 2
        or case.query.kind in (Kind.COMPARE_GPUS, Kind.COST_BUY_VS_RENT)
        or case.query.candidates
        or case.usable is None
        or (case.advice is not None and case.advice.verdict.code == "one_of_them")
        or (
            case.advice is not None and case.advice.verdict.facts.get("mixed") and case.advice.verdict.code == "unsized"
        )
    ):
        return None
    return correct(
        smallest=case.card.name if case.card else "",
        vram_gb=case.card.vram_gb if case.card else None,
        usable=case.usable,
    )

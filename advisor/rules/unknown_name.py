"""A card or model that the catalog does not have: said, with the nearest names.

Source: the catalog.
"""

from advisor.advice import Finding, stop, warn
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import short_name

ON = ("unknown",)


def check(case: Case) -> Finding | None:
    """A card or model that the catalog does not have: said, with the nearest names."""
    if not case.query.unknown or case.query.kind is Kind.HELP:
        return None
    slot, asked = next(iter(case.query.unknown.items()))
    if slot == "gpus" and any(card.gpu is not None for card in case.cards):
        return None  # the card is known, only its size is not: impossible_card says so
    near = [_name(case, name) for name in case.query.nearest.get(slot, ()) if _may_be(case, name)]
    speak = warn if slot == "gpus" and case.card is not None else stop  # its size is stated, and that is what counts
    return speak(slot=slot, asked=asked, close=[name for name in near if name != asked][:3])


def _may_be(case: Case, near: str) -> bool:
    """A card of the size that is stated, where one is."""
    gpu = case.catalog.gpus.get(near.removeprefix("relative:"))
    return gpu is None or case.card is None or gpu.vram_gb == case.card.vram_gb


def _name(case: Case, near: str) -> str:
    """A card's name in place of its id; other names as they are."""
    near = near.removeprefix("relative:")
    gpu = case.catalog.gpus.get(near)
    return short_name(gpu) if gpu is not None else near

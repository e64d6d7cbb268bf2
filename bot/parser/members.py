"""Which member of a family is meant where only the family is named: "LoRA on Bloom with two 4090s" is none of 176B.

Source: facts/ambiguous.yaml, entries whose default is the largest of several sizes.
"""

from functools import cache

from bot.parser.cards import Card, Cards, shelf
from bot.parser.models import models
from bot.parser.slots import Slots
from knowledge.catalog import load_catalog

GB_PER_BILLION = {"full": 6.0, "lora": 2.2, "qlora": 0.62}
"""GB of weights and states a method needs at least for 1e9 parameters; which method is not said, the least."""
MUCH_SMALLER = 0.5
"""Share of the largest member's size that the smallest has at most: less is another release, not another size."""


@cache
def members_of(alias: tuple[str, ...], default: str) -> tuple[str, ...]:
    """The sizes that a family's name stands for, the largest first; nothing where it is the name of one model."""
    book = models()
    entry = book.ambiguous.get(alias)
    if entry is None or book.params.get(entry.default) != book.params.get(default):
        return ()
    rows = load_catalog().models
    if default in rows and rows[default].moe is not None:
        return ()  # what is smaller is another model, a distilled one
    sizes = {candidate: book.params[candidate] for candidate in entry.candidates if candidate in book.params}
    whole = book.params[default]
    if not sizes or whole != max(sizes.values()) or min(sizes.values()) > MUCH_SMALLER * whole:
        return ()
    return tuple(sorted(sizes, key=lambda member: -sizes[member]))


def take_member(slots: Slots, cards: Cards) -> None:
    """The largest member that one card holds, or all together, where they cannot hold the one that the name means by
    itself; or that what was seen in use holds.
    """
    members, values = slots.ambiguous_model, slots.values
    if not members or slots.states("params_b") or not slots.states("model"):
        return
    own = [card for card in cards.cards if card not in cards.apart]
    most = max((_gb(card) for card in own), default=0.0)
    together = max((_gb(card) * card.count for card in own), default=0.0)
    if seen := float(values.get("seen_gib") or 0):
        most, together = min(most or seen, seen), max(together, seen) if not most else min(together, seen * _count(own))
    book, each = models(), GB_PER_BILLION.get(str(values.get("method")), GB_PER_BILLION["qlora"])
    if not most or each * book.params[members[0]] <= together:
        return
    fitting = (member for limit in (most, together) for member in members if each * book.params[member] <= limit)
    taken = next(fitting, None)
    if taken is not None:
        values["model"], values["params_b"] = taken, round(book.params[taken], 3)


def _count(cards: list[Card]) -> int:
    return max((card.count for card in cards), default=1)


def _gb(card: Card) -> float:
    """The memory of one card; 0 where nobody knows it."""
    return float(card.vram_gb or shelf().vram_gb(card.gpu) or 0)

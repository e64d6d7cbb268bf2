"""Cards of one message that are not one set-up: "8b OOMs on my 4090, on a T4 it ran", "tested on A100s"."""

from itertools import pairwise

from bot.parser.cards.reader import Card, CardReader
from bot.parser.text import COMMA, STOP
from bot.parser.words import words

NEAR = 6
"""Tokens between two cards of one list at most."""
OWNER_REACH, ADDING_REACH = 5, 3
"""Tokens between "my" or "adding" and the card."""
GONE_REACH, ONE_REACH = 3, 3
"""Tokens between "sold" and the card, "a second" and "one"."""
ADDING_UP = frozenset({"mixed_cards_add_up", "vram_adds_up", "nvlink_pools_memory"})
"""Beliefs by which all cards are one set-up."""
GONE = frozenset({"gone", "gone_after", "gone_before"})
"""Lists of which a word says that something is no longer there."""


def apart(reader: CardReader, cards: list[Card]) -> list[Card]:
    """The cards that stand beside the asker's set-up: those of a case that worked, of a test, of somebody's guess."""
    if len(cards) < 2 or reader.totals or any(f.target.name in ADDING_UP for f in reader.findings.evidence):
        return []
    ordered = sorted(cards, key=lambda card: card.start)
    sets = [[ordered[0]]]
    for before, card in pairwise(ordered):
        if _joined(reader, before, card):
            sets[-1].append(card)
        else:
            sets.append([card])
    own = max(sets, key=lambda one: max(_own(reader, card) for card in one))
    return [card for one in sets if one is not own for card in one]


def _joined(reader: CardReader, before: Card, card: Card) -> bool:
    """Whether two cards stand in one list, or the second is added to the first."""
    if reader.told("adding", card.start, ADDING_REACH) or reader.told("lent", card.start, OWNER_REACH):
        return True
    owned = _mine(reader, card) and not _mine(reader, before)
    owned = owned or (_asked(reader, card) and not _asked(reader, before) and _is_past(reader, before))
    if owned or reader.went_wrong(before) != reader.went_wrong(card):
        return False
    stops = any(reader.message.parts[place] >= STOP for place in range(before.end, card.start + 1))
    return not stops and card.start - before.end <= NEAR


def _own(reader: CardReader, card: Card) -> tuple[bool, int, bool]:
    asked = _asked(reader, card)
    return _mine(reader, card), reader.went_wrong(card), asked


def _asked(reader: CardReader, card: Card) -> bool:
    """ "now on a T4", "can a single RTX PRO 6000 redo it": what it is about today."""
    return reader.told("today", card.start, OWNER_REACH)


def _is_past(reader: CardReader, card: Card) -> bool:
    return reader.told("tried", card.start, 2 * OWNER_REACH)


def _mine(reader: CardReader, card: Card) -> bool:
    return reader.told("owner", card.start, OWNER_REACH)


def tells_of_gone(reader: CardReader) -> bool:
    """Whether any word says that something is no longer there."""
    return not GONE.isdisjoint(reader.message.said)


def is_gone(reader: CardReader, card: Card) -> bool:
    """ "sold my 3080", "hab die 2070 verkauft", "used to have a 1080": a card that the asker no longer has."""
    if reader.told("gone", card.start, GONE_REACH):
        return True
    said = reader.message.said
    if "gone_before" in said:
        within = range(card.start, card.start - len(reader.before(card.start, GONE_REACH)), -1)
        if any(reader.message.ends_with("gone_before", place) for place in within):
            return True
    after = range(card.end, min(len(reader.message.tokens), card.end + 2))
    return "gone_after" in said and any(
        reader.message.tokens[place] in words("gone_after") and reader.message.parts[place] < COMMA for place in after
    )


def wants_another(reader: CardReader) -> bool:
    """ "thinking of a second one": one more of the card that was named."""
    tokens = reader.message.tokens
    for place in reader.findings.marks.get("another", ()):
        if any(token in words("one_of_them") for token in tokens[place + 1 : place + ONE_REACH]):
            return True
        if reader.told("lent", place, ONE_REACH) or reader.told("lent", place + 1, ONE_REACH):
            return True  # "can borrow a second for a weekend"
    return False

"""Set-ups to choose between: "3090 or 4090", "2x 3090 vs a 4090", "from a 3060 to a 4090", rented cards of a list."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from bot.parser.cards.reader import Card, CardReader
from bot.parser.numbers import PLAIN
from bot.parser.text import ARROWS, COMMA, STOP
from bot.parser.words import words

OFFER_REACH = 14
"""Tokens after "vast shows" that belong to it."""
MOST_SHARED = 1024
ON_REACH = 2
"""Tokens of "on an" before a card."""
UPGRADE_REACH = 5
"""Tokens between "replace" or "from" and the first card."""


def alternatives(reader: CardReader, cards: list[Card]) -> list[list[Card]]:
    """ "3090 or 4090", "2x 3090 vs a 4090": each side is a set-up of its own."""
    if len(cards) < 2:
        return []
    places = (*reader.findings.marks.get("alternative", ()), *_upgrades(reader, cards), *_set_against(reader, cards))
    groups: list[list[Card]] = [[cards[0]]]
    for before, card in pairwise(cards):
        if any(before.start < place <= card.start + 1 for place in places):
            groups.append([card])
        else:
            groups[-1].append(card)
    groups = [[replace(card, count=card.count + 1) if card.also_two else card for card in group] for group in groups]
    if len(groups) > 1:
        _share_count(reader, cards)
    if len(groups) < 2:
        return [[card] for card in cards] if all(is_offered(reader, card, across=True) for card in cards) else []
    if len(groups[0]) > 1 and all(len(group) == 1 for group in groups[1:]):
        return [[card] for card in cards]
    return groups


def is_offered(reader: CardReader, card: Card, across: bool = False) -> bool:
    """Whether a card is one that could be rented. `across`: the list may go over more than one sentence."""
    parts, offers = reader.message.parts, reader.findings.marks.get("offers", ())
    near = (place for place in offers if place < card.start <= place + OFFER_REACH)
    return any(across or all(parts[p] < STOP for p in range(place + 1, card.start + 1)) for place in near)


def _upgrades(reader: CardReader, cards: list[Card]) -> Iterator[int]:
    """The "to" of "from a 3060 to a 4090", of "upgrade X to Y", of "replace X with Y"; the "from" of "upgrade to Y from
    X"; and the "buying" of "got a 3060, thinking of buying a 3090".
    """
    said = reader.message.said
    if any(map(reader.message.text.__contains__, ARROWS)):  # "8x A100 -> 2x H200"
        yield from (card.start for card in cards[1:] if _came_of(reader, card))
    upgrading = "upgrading" in said
    buying = "buying_one" in said and not ("adding" in said or "used_together" in said)
    if not upgrading and not buying:
        return
    tokens, parts = reader.message.tokens, reader.message.parts
    for before, card in pairwise(cards):
        between = range(before.end, card.start)
        if any(parts[place] >= STOP for place in (*between, card.start)):
            continue
        first = reader.before(before.start, UPGRADE_REACH)
        if upgrading and any(word in words("upgrading") for word in first):
            yield from (place for place in between if tokens[place] in words("towards") | words("coming_from"))
        bought = buying and any(tokens[place] in words("buying_one") for place in (*between, *_behind(reader, card)))
        if bought and before.count == card.count == 1 and reader.told("owner", before.start, UPGRADE_REACH):
            yield card.start


def _set_against(reader: CardReader, cards: list[Card]) -> Iterator[int]:
    """The second card of "14GB on a 4090 but 19GB on an A100": two runs of the same."""
    failed = reader.clauses is not None and bool(reader.clauses.bad)  # "works on an A100 but OOM on my 3090"
    if failed or not reader.message.said.issuperset(("turning_against", "on_words")):
        return
    for before, card in pairwise(cards):
        between = reader.message.tokens[before.end : card.start]
        ran = all(any(w in words("on_words") for w in reader.before(one.start, ON_REACH)) for one in (before, card))
        if ran and not words("turning_against").isdisjoint(between):
            yield card.start


def _came_of(reader: CardReader, card: Card) -> bool:
    """Whether an arrow stands shortly before a card, with no other sentence between."""
    for place in range(card.start, max(0, card.start - UPGRADE_REACH), -1):
        if reader.message.turned_into(place):
            return True
        if reader.message.parts[place] >= STOP:
            return False
    return False


def _behind(reader: CardReader, card: Card) -> range:
    """The tokens after a card in its clause: "eine 3090 zu kaufen"."""
    end = card.end
    while end < min(len(reader.message.tokens), card.end + UPGRADE_REACH) and reader.message.parts[end] < COMMA:
        end += 1
    return range(card.end, end)


def _share_count(reader: CardReader, cards: list[Card]) -> None:
    """ "h100 vs h200 for a 32b, 8 gpus": the number of cards of every side."""
    if any(card.counted or card.count > 1 for card in cards):
        return
    said = {
        number.value
        for number in reader.numbers.values()
        if number.unit == PLAIN and reader.is_free(number) and reader.next_word(number.end) in reader.lists["card"]
    }
    count = said.pop() if len(said) == 1 else 1.0
    if 1 < count <= MOST_SHARED and count == int(count):
        for card in cards:
            card.count, card.counted = int(count), True

"""Cards of which only the memory is told, added to a named one: "a 3090 plus two 16 gig cards"."""

from bot.parser.cards.counts import count_before
from bot.parser.cards.reader import MOST_CARDS, Card, CardReader
from bot.parser.cards.shelf import VRAM_SIZES, shelf
from bot.parser.numbers import MEMORY, Number
from bot.parser.text import BRACKET, COMMA
from bot.parser.words import words

PASSED = 4
"""Words such as "an old" or "another two" between what joins and the amount."""
BEHIND = 3
"""Words such as "VRAM" between the amount and the word for a card."""


def find_beside(reader: CardReader) -> None:
    """Adds nameless cards to the one kind that is named."""
    named = [card for card in reader.found if card.gpu]
    kinds = {card.gpu for card in named}
    if len(kinds) != 1 or len(reader.found) != len(named) or "card" not in reader.message.said:
        return
    own = named[0].vram_gb or shelf().vram_gb(named[0].gpu)
    for number in reader.numbers.values():
        free = number.unit == MEMORY and number.start not in reader.memory_used
        if not free or reader.message.taken[number.start] or number.value not in VRAM_SIZES or number.value == own:
            continue
        end = _end_of_card(reader, number)
        if end and any(_is_added(reader, card, number, end) for card in named):
            count = int(count_before(reader, number.start) or 1)
            card = Card(number.start, end, vram_gb=number.value, count=min(count, MOST_CARDS), counted=True, added=True)
            reader.memory_used.add(number.start)
            reader.message.take(number.start, number.end)
            reader.add(card)


def _end_of_card(reader: CardReader, number: Number) -> int:
    """Where the word for a card behind an amount ends, 0 where none stands there."""
    for place in range(number.end, number.end + BEHIND):
        word = reader.next_word(place, BRACKET)
        if word in reader.lists["card"]:
            return place + 1
        if word not in reader.lists["vram"] and word not in words("before_vram"):
            return 0
    return 0


def _is_added(reader: CardReader, card: Card, number: Number, end: int) -> bool:
    """Whether nothing but a joining word and a count stands between a named card and the nameless one."""
    if card.end <= number.start:
        return _joins(reader, card.end, number.start)
    return end <= card.start and _joins(reader, end, card.start)


def _joins(reader: CardReader, start: int, end: int) -> bool:
    between, message = range(start, end), reader.message
    if not 0 < len(between) <= PASSED + 1 or any(message.parts[place] >= COMMA for place in (*between, end)):
        return False
    passed = words("added_passed") | words("adjectives") | reader.lists["count"].keys() | reader.lists["second"].keys()
    joined = [message.tokens[place] in words("added_to") for place in between]
    known = (j or message.tokens[p] in passed or message.figures[p] for p, j in zip(between, joined, strict=True))
    return any(joined) and not all(joined) and all(known)  # "and 48GB cards are too dear" counts none

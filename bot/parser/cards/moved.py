"""One card first and several then: "same config on 8 GPUs", "1.2 s/it on one 3090, 2.9 s/it on two"."""

from bot.parser.cards.counts import MOST_COUNTED
from bot.parser.cards.reader import Card, CardReader
from bot.parser.numbers import PLAIN
from bot.parser.text import COMMA
from bot.parser.words import words

SAME_REACH = 4
"""Tokens between "same config" and the number of cards."""
MOST_IN_A_BOX = 16
WOULD_REACH = 8
"""Tokens between "would it be" and "on two"."""
TIMES = frozenset({"per_second", "milliseconds", "hour_units", "minute_units"})


def moved_to(reader: CardReader) -> None:
    """The run on several cards is the one that is asked about."""
    cards = [card for card in reader.found if card.gpu]
    if len(cards) == 1 and cards[0].count > 1 and "using_them" in reader.message.said:
        cards[0].count = _only_used(reader, cards[0]) or cards[0].count
    if len(cards) != 1 or cards[0].count != 1:
        return
    count = _of_the_same(reader, cards[0]) if "same_run" in reader.message.said else None
    if count is None and cards[0].counted and not TIMES.isdisjoint(reader.message.said):
        count = _on_so_many(reader, cards[0])
    if count is not None:
        cards[0].count, cards[0].counted = count, True


def _only_used(reader: CardReader, card: Card) -> int | None:
    """The 2 of "the server has 4 A6000, i may only use 2"."""
    for number in reader.numbers.values():
        fewer = number.unit == PLAIN and 1 <= number.value < card.count and number.value == int(number.value)
        if not fewer or number.start < card.end or not reader.told("only_words", number.start, SAME_REACH):
            continue
        beside = {reader.token(number.start - 1), reader.next_word(number.end)}
        if not words("using_them").isdisjoint(beside):
            return int(number.value)
    return None


def _of_the_same(reader: CardReader, card: Card) -> int | None:
    """ "one A10G: 100 ms. same config on 8 GPUs: 30 s"."""
    for number in reader.numbers.values():
        several = number.unit == PLAIN and 1 < number.value <= MOST_COUNTED and number.value == int(number.value)
        behind = number.start >= card.end and reader.next_word(number.end) in reader.lists["card"]
        if several and behind and reader.told("same_run", number.start, SAME_REACH):
            reader.message.take(number.start, number.end)
            return int(number.value)
    return None


def _on_so_many(reader: CardReader, card: Card) -> int | None:
    """ "1.2 s/it on one 3090, 2.9 s/it on two": a count alone that closes its clause."""
    tokens, parts, counts = reader.message.tokens, reader.message.parts, reader.lists["count"]
    for at in range(card.end + 1, len(tokens)):
        place = at - (tokens[at - 1] in words("all_of"))
        closes = at + 1 >= len(tokens) or parts[at + 1] >= COMMA or at + 1 in reader.numbers
        if tokens[place - 1] not in words("on_words") or not closes or reader.told("would", at, WOULD_REACH):
            continue
        number = reader.numbers.get(at)
        told = counts.get(tokens[at]) if number is None else number.value if number.unit == PLAIN else None
        count = float(told) if told is not None else 0.0
        if 1 < count <= MOST_IN_A_BOX and count == int(count):
            return int(count)
    return None

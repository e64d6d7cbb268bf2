"""Examples of a data set that a describing word stands before: "2k hand-picked ones", "10k customer emails"."""

from collections.abc import Mapping

from bot.parser.numbers import PLAIN, Number
from bot.parser.text import JOINED, Message
from bot.parser.words import words

MOST_WORDS = 3
"""Words between a number and what it counts."""
FEWEST = 50
"""Fewer things with a word before them are seldom a data set."""


def rows_ahead(message: Message, numbers: Mapping[int, Number]) -> int | None:
    """The first number that counts examples with words between; all of them are used up."""
    found = None
    if words("rows").isdisjoint(message.tokens):
        return None
    for number in numbers.values():
        if number.unit not in (PLAIN, "k", "thousand", "m", "wan") or message.taken[number.start]:
            continue
        if number.things >= FEWEST and number.things == int(number.things) and _counts_rows(message, number.end):
            message.take(number.start, number.end)
            found = found or round(number.things)
    return found


def _counts_rows(message: Message, end: int) -> bool:
    for place in range(end, min(len(message.tokens), end + MOST_WORDS + 1)):
        word = message.tokens[place]
        if message.parts[place] > JOINED or not word.isalpha() or message.taken[place]:
            return False
        if word in words("rows"):
            return place > end
        if word in words("no_adjective"):
            return False
    return False

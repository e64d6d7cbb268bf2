"""Examples of a data set that a describing word stands before: "2k hand-picked ones", "10k customer emails"."""

from collections.abc import Mapping
from functools import cache
from itertools import repeat

from bot.parser.numbers import PLAIN, Number
from bot.parser.text import JOINED, Message
from bot.parser.words import words

COUNTS = frozenset({PLAIN, "k", "thousand", "m", "wan"})
MOST_WORDS = 3
"""Words between a number and what it counts."""
SHORTEST_ENDING, LONG_WORD = 5, 9
"""Letters of a word for examples that may end a compound, and of the compound."""
FEWEST = 50
"""Fewer things with a word before them are seldom a data set."""


def rows_ahead(message: Message, numbers: Mapping[int, Number]) -> int | None:
    """The first number that counts examples with words between; all of them are used up."""
    found = None
    counted = [
        number
        for number in numbers.values()
        if number.unit in COUNTS and not message.taken[number.start] and number.things >= FEWEST
    ]
    if not counted or not ("rows" in message.said or _has_compound(message.tokens)):
        return None
    for number in counted:
        if number.things == int(number.things) and _counts_rows(message, number):
            message.take(number.start, number.end)
            found = found or round(number.things)
    return found


def _counts_rows(message: Message, number: Number) -> bool:
    return _of_rows_ahead(message, number.end) or _of_rows_before(message, number)


def _of_rows_ahead(message: Message, end: int) -> bool:
    for place in range(end, min(len(message.tokens), end + MOST_WORDS + 1)):
        word = message.tokens[place]
        if message.parts[place] > JOINED or not word.isalpha() or message.taken[place]:
            return False
        if _is_rows(word):
            return True
        if word in words("no_adjective"):
            return False
    return False


@cache
def _endings() -> tuple[str, ...]:
    return tuple(word for word in words("rows") if len(word) >= SHORTEST_ENDING)


def _is_rows(word: str) -> bool:
    """ "tickets", "Supporttickets", "Kundenmails"."""
    return word in words("rows") or _is_compound(word)


def _has_compound(tokens: list[str]) -> bool:
    long = [token for token in tokens if len(token) >= LONG_WORD]
    return any(map(str.endswith, long, repeat(_endings())))


def _is_compound(word: str) -> bool:
    return len(word) >= LONG_WORD and word.endswith(_endings())


def _of_rows_before(message: Message, number: Number) -> bool:
    """ "my tickets (about 8,000)", "Supporttickets (ca. 8.000 Stück)"."""
    tokens, place = message.tokens, number.start
    while place > 0 and tokens[place - 1] in words("about") and message.parts[place] <= JOINED:
        place -= 1
    bracketed = place > 0 and message.gaps[place].strip() == "(" and _is_rows(tokens[place - 1])
    end = number.end
    closed = message.gaps[end][:1] == ")" or (end < len(tokens) and tokens[end] in words("pieces"))
    return bracketed and closed

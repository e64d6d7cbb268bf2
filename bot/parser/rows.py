"""Examples of a data set that a describing word stands before: "2k hand-picked ones", "10k customer emails"."""

from collections.abc import Mapping
from functools import cache
from itertools import repeat

from bot.parser.numbers import PLAIN, Number
from bot.parser.text import COMMA, JOINED, STOP, Message
from bot.parser.words import words

COUNTS = frozenset({PLAIN, "k", "thousand", "m", "wan"})
MOST_WORDS = 3
"""Words between a number and what it counts."""
SHORTEST_ENDING, LONG_WORD = 5, 9
"""Letters of a word for examples that may end a compound, and of the compound."""
OWNED_REACH = 3
"""Tokens between "have" and the number."""
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


def rows_owned(message: Message, numbers: Mapping[int, Number]) -> int | None:
    """The one bare number that the asker has, beside one that is demanded: "need 50k rows? only have 800", "Ist 10k
    Pflicht? Habe 300 Gesprächsprotokolle".
    """
    if "as_demanded" not in message.said and "needing_it" not in message.said:
        return None
    owned = [
        number
        for number in numbers.values()
        if number.unit in COUNTS
        and number.things >= FEWEST
        and not message.taken[number.start]
        and _owned(message, number)
    ]
    return round(owned[0].things) if len(owned) == 1 else None


def _owned(message: Message, number: Number) -> bool:
    """Behind "have", and at the end of a clause or before a word that counts data and nothing else."""
    first = number.start
    while first > max(0, number.start - OWNED_REACH) and message.parts[first] < STOP:
        first -= 1
    if words("having").isdisjoint(message.tokens[first : number.start]):
        return False
    end = number.end
    if end >= len(message.tokens) or message.parts[end] >= COMMA:
        return True
    word = message.tokens[end]
    return word.isalpha() and len(word) >= LONG_WORD and not message.taken[end]


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

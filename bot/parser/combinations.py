"""Phrases of several parts: "a ... b" in one sentence, "a & b" anywhere."""

from collections.abc import Mapping
from typing import NamedTuple

from bot.parser.findings import Target
from bot.parser.text import STOP, Message

REACH = 14
"""Tokens between the two parts of `a ... b`."""
FIRST_PLACES, NEXT_PLACES = 20, 40
"""Places of a first and of a following part that are tried."""


class Combination(NamedTuple):
    """Several parts that mean something together."""

    parts: tuple[str, ...]
    ordered: bool
    target: Target


def place_of(message: Message, combination: Combination, marks: Mapping[str, list[int]]) -> int | None:
    """Where a combination starts, None when its parts are too far apart."""
    if not combination.ordered:
        return marks[combination.parts[0]][0]
    for start in marks[combination.parts[0]][:FIRST_PLACES]:
        place: int | None = start
        for part in combination.parts[1:]:
            place = next(
                (
                    p
                    for p in marks[part][:NEXT_PLACES]
                    if place is not None and place < p <= place + REACH and _same_sentence(message, place, p)
                ),
                None,
            )
            if place is None:
                break
        if place is not None:
            return start
    return None


def _same_sentence(message: Message, start: int, end: int) -> bool:
    return all(message.parts[place] < STOP for place in range(start + 1, end + 1))

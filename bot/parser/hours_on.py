"""Hours of the same job on one number of cards and on another: "1 GPU: ETA 80 h. 4 GPUs: ETA 150 h"."""

from collections.abc import Mapping

from bot.parser.durations import UNITS, unit_hours
from bot.parser.grammar import Grammar
from bot.parser.numbers import PLAIN, Number
from bot.parser.slots import Slots
from bot.parser.text import Message
from bot.parser.words import words

REACH = 7
"""Tokens between a number of cards and the hours on them."""
MOST_CARDS = 64
PAIR = 2


def state_hours_on(slots: Slots, message: Message, numbers: Mapping[int, Number], grammar: Grammar) -> None:
    """Names cards and hours of both runs, in the order told, where there are just two."""
    if UNITS.isdisjoint(message.said):
        return
    told: dict[int, float] = {}
    for number in numbers.values():
        unit = unit_hours(message, number, number.end)
        count = _cards_before(message, numbers, number.start, grammar) if unit is not None else None
        if unit is not None and count is not None:
            told.setdefault(count, number.value * unit)
    if len(told) == PAIR:
        slots.named["hours_on"] = tuple(f"{value:g}" for pair in told.items() for value in pair)


def _cards_before(message: Message, numbers: Mapping[int, Number], place: int, grammar: Grammar) -> int | None:
    """The nearest number of cards before a duration, with no other duration between."""
    counts, cards = grammar.lists["count"], grammar.lists["card"]
    for at in range(place - 1, max(-1, place - 1 - REACH), -1):
        number, token = numbers.get(at), message.token(at)
        end = number.end if number is not None else at + 1
        if number is not None and unit_hours(message, number, end) is not None:
            return None
        following = message.token(end)
        named = (
            following in cards or following == "x" or (following[:1].isdigit() and following in words("card_numbers"))
        )
        if number is not None and number.unit == PLAIN and 1 <= number.value <= MOST_CARDS and named:
            return int(number.value)
        if token in counts and named:
            return int(counts[token])
    return None

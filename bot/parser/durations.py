"""How long a run took or is to take: "ETA 88 hours", "3 epochs in 1 minute", "sind knapp 4 Stunden realistisch"."""

from collections.abc import Mapping
from functools import cache

from bot.parser.clauses import Clauses
from bot.parser.numbers import PLAIN, Number
from bot.parser.text import COMMA, Message
from bot.parser.words import words

HOURS = (("day_units", 24.0), ("hour_units", 1.0), ("minute_units", 1 / 60))
UNITS = frozenset(name for name, _ in HOURS)
NEAR = 3
"""Tokens before or after a duration in which a word says that a run took it."""
LONGEST_HOURS = 100_000.0


def took_hours(message: Message, numbers: Mapping[int, Number], clauses: Clauses) -> float | None:
    """Hours of the one duration that the text tells of a run; None where there is none, or several and no telling word.

    Limits ("within 8 h"), working hours ("10 h a week") and times of one epoch are none.
    """
    if UNITS.isdisjoint(message.said):
        return None
    found: list[tuple[bool, float]] = []
    for number in numbers.values():
        after = number.end + (message.token(number.end) == "gpu")  # "1000 gpu hours"
        unit = unit_hours(message, number, after)
        theirs = unit is not None and clauses.hearsay(number.start)
        limit = unit is not None and (_limit(message, number) or _to_finish(message, number) or _since(message, number))
        if unit is not None and not theirs and not limit and not _rate(message, number):
            found.append((_told(message, number), number.value * unit))
    told = [hours for near, hours in found if near] or [hours for _, hours in found][: len(found) == 1]
    return told[0] if told and 0 < told[0] <= LONGEST_HOURS else None


def their_hours(message: Message, numbers: Mapping[int, Number], clauses: Clauses) -> float | None:
    """Hours of the one duration that somebody else's run took ("someone did it in 15.5 hours")."""
    if UNITS.isdisjoint(message.said) or not clauses.theirs:
        return None
    found = set()
    for number in numbers.values():
        unit = unit_hours(message, number, number.end + (message.token(number.end) == "gpu"))
        if unit is not None and clauses.hearsay(number.start) and not _limit(message, number):
            found.add(number.value * unit)
    return found.pop() if len(found) == 1 else None


def epoch_hours(message: Message, numbers: Mapping[int, Number]) -> float | None:
    """Hours of one epoch: "7 h per epoch", "8 Stunden je Epoche"."""
    if UNITS.isdisjoint(message.said) or "epoch_words" not in message.said:
        return None
    found = set()
    for number in numbers.values():
        unit = unit_hours(message, number, number.end)
        per = message.token(number.end + 1) in words("of_each")
        if unit is not None and per and message.token(number.end + 2) in words("epoch_words"):
            found.add(number.value * unit)
    return found.pop() if len(found) == 1 else None


def place_of(message: Message, numbers: Mapping[int, Number], hours: float) -> int | None:
    """Where a duration of so many hours stands; None where it does not."""
    hours_of = hours_of_units()
    found = (n.start for n in numbers.values() if n.value * hours_of.get(message.token(n.end), 0.0) == hours)
    return next(found, None)


def unit_hours(message: Message, number: Number, at: int) -> float | None:
    """The hours of the unit of time at a place, where it belongs to a number: not in "on a 3090, days?"."""
    apart = at < len(message.parts) and message.parts[at] >= COMMA
    return hours_of_units().get(message.token(at)) if number.unit == PLAIN and not apart else None


@cache
def hours_of_units() -> Mapping[str, float]:
    """Unit of time → hours."""
    return {word: hours for name, hours in HOURS for word in words(name)}


def _limit(message: Message, number: Number) -> bool:
    return any(message.token(at) in words("time_limit") for at in range(number.start - 2, number.start))


def _to_finish(message: Message, number: Number) -> bool:
    """ "it has to finish in 24h"."""
    return message.token(number.start - 2) == "finish" or message.token(number.end + 2) == "sein"


def _since(message: Message, number: Number) -> bool:
    """ "nach ca. 2 Stunden Absturz": when something happened, not how long all took."""
    at = number.start - 1
    at -= message.token(at) in words("about")
    return message.token(at) in words("after_what") and not _told(message, number)


def _rate(message: Message, number: Number) -> bool:
    """Per week, per epoch, per step; "0.30/hr" is a price."""
    if "/" in message.gaps[number.end]:
        return True
    for at in range(number.end + 1, min(len(message.tokens), number.end + 2 * NEAR)):
        if message.parts[at] >= COMMA:
            break  # "takes 5 h each, 3 runs per week"
        if message.tokens[at] in words("monthly"):
            return True
    return any(message.token(at) in words("time_rate") for at in range(number.end + 1, number.end + NEAR))


def _told(message: Message, number: Number) -> bool:
    around = range(number.start - NEAR, number.end + 1 + NEAR)
    return any(message.token(at) in words("took") for at in around)

"""How far a run has come in what time: "0.02 epoch after 45 minutes", "step 120/9375 after 1 hour", "10% in 3 h"."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import compress, count, islice
from typing import Any

from bot.parser.durations import UNITS, hours_of_units, unit_hours
from bot.parser.grammar import Grammar
from bot.parser.numbers import PLAIN, Number
from bot.parser.slots import Slots
from bot.parser.speeds import FEWEST_STEPS, counts_steps
from bot.parser.text import BRACKET, STOP, Message
from bot.parser.words import words

REACH = 9
"""Tokens between what is done and the time it took."""
NEAR = 4
"""Tokens between a number and the word that says what it counts."""
MOST_TOLD = 30
"""Times, and shares, of a message that are looked at."""
LEAST_SHARE = 1e-5
EPOCH, RUN = "epoch", "run"
LEAST_LIMIT_HOURS = 2.0
SHARES: Mapping[str, float] = {"halves": 1 / 2, "thirds": 1 / 3, "quarters": 1 / 4, "tenths": 1 / 10}
"""List of the words → share."""

Part = tuple[int, float, str]
"""Where it stands, the share that is done, and of what: an epoch or the whole run."""


def state_progress(slots: Slots, message: Message, numbers: Mapping[int, Number], grammar: Grammar) -> None:
    """Fills done_share, done_of and done_hours; the time is then none that the whole run took."""
    said = message.said
    if UNITS.isdisjoint(said) or not ("epoch_words" in said or "steps_made" in said or "%" in message.text):
        return
    times = [*islice(_durations(message, numbers, grammar.lists["count"]), MOST_TOLD)]
    if not times:
        return
    found = [
        (_parted(message, place, at), abs(place - at), at, share, of, hours)
        for place, share, of in islice(_parts(message, numbers), MOST_TOLD)
        for at, hours in times
        if abs(place - at) <= REACH and LEAST_SHARE <= share < 1 and hours > 0
    ]
    if not found:
        return
    *_, used, share, of, hours = min(found)
    slots.state("done_share", round(share, 8))
    slots.state("done_of", of)
    slots.state("done_hours", round(hours, 4))
    others = {left for at, left in times if at != used and left >= LEAST_LIMIT_HOURS}
    if len(others) == 1 and "max_hours" not in slots.values and "time_enough" in message.said:
        slots.state("max_hours", others.pop())  # "rented for one day ... enough?"
    for slot in ("took_hours", "seen_s_per_step"):
        slots.drop(slot)


def _parted(message: Message, one: int, other: int) -> bool:
    """Whether a sentence ends between two places."""
    return any(message.parts[p] >= STOP for p in range(min(one, other) + 1, max(one, other) + 1))


def _durations(
    message: Message, numbers: Mapping[int, Number], counts: Mapping[str, Any]
) -> Iterator[tuple[int, float]]:
    """Where a time stands, and its hours: "45 minutes", "one day", and the day of "0.1 epoch per day"."""
    before, ended, told = 0, -1, dict[int, float]()
    for number in numbers.values():
        unit = unit_hours(message, number, number.end)
        if unit is not None and _is_past(message, number):
            told[number.start] = number.value * unit
            if number.start == ended:  # "2 h 40 min"
                told[before] = told[number.start] = told[before] + told[number.start]
            before, ended = number.start, number.end + 1
    yield from told.items()
    hours_of = hours_of_units()
    for at in compress(count(), map(hours_of.__contains__, message.tokens)):
        one, hours = message.token(at - 1), hours_of[message.tokens[at]]
        if one in counts:
            yield at, hours * float(counts[one])
        elif one in words("one_unit"):
            yield at, hours


def _is_past(message: Message, number: Number) -> bool:
    """No time that is left, and no limit: of "15 h noch kein Drittel" the "noch" belongs to what is not done."""
    told = _beside(message, number, 2) & (words("time_left") | words("time_limit"))
    if message.token(number.end + 2) in words("no"):
        told -= {message.token(number.end + 1)}
    return not told


def _beside(message: Message, number: Number, reach: int) -> set[str]:
    """The words before a number, and the two behind its unit."""
    return {message.token(p) for p in (*range(number.start - reach, number.start), number.end + 1, number.end + 2)}


def _parts(message: Message, numbers: Mapping[int, Number]) -> Iterator[Part]:
    steps: list[Number] = []
    for number in numbers.values():
        if number.unit not in (PLAIN, "k"):
            continue
        whole = _whole_of(message, numbers, number)
        if whole is not None:
            yield number.start, number.things / whole, RUN
        elif message.gaps[number.end].lstrip()[:1] == "%":
            if (of := _percent_of(message, number)) is not None:
                yield number.start, number.value / 100, of
        elif 0 < number.value < 1 and _of_epoch(message, number):
            yield number.start, number.value, EPOCH
        elif counts_steps(message, number):
            steps.append(number)
    yield from _fractions(message)
    every = _all_steps(message, numbers)
    if every is not None:
        yield from ((n.start, n.things / every.things, RUN) for n in steps if n.things < every.things)


def _fractions(message: Message) -> Iterator[Part]:
    """ "noch kein Drittel einer Epoche", "half an epoch", "a quarter of the run"."""
    if message.said.isdisjoint(SHARES):
        return
    shares = fractions()
    for at in compress(count(), map(shares.__contains__, message.tokens)):
        behind = [message.token(p) for p in range(at + 1, at + NEAR) if _one(message, p)]
        if not words("epoch_words").isdisjoint(behind):
            yield at, shares[message.tokens[at]], EPOCH
        elif not words("whole_run").isdisjoint(behind):
            yield at, shares[message.tokens[at]], RUN


@cache
def fractions() -> Mapping[str, float]:
    """Word → share."""
    return {word: share for name, share in SHARES.items() for word in words(name)}


def _whole_of(message: Message, numbers: Mapping[int, Number], number: Number) -> float | None:
    """The 9375 of "120/9375" and of "500 of 6000 steps"."""
    at = number.end
    if message.token(at) in words("steps_made"):
        at += 1
    joined = message.gaps[at].strip() == "/"
    if not joined and message.token(at) in words("out_of_all"):
        at, joined = at + 1, True
    whole = numbers.get(at)
    if whole is None or not joined or whole.unit not in (PLAIN, "k") or not number.things < whole.things:
        return None
    if number.value % 1 and message.token(number.start - 1) in words("epoch_words"):
        return whole.things  # "epoch 1.5/3"
    beside = {message.token(p) for p in range(number.start - 2, whole.end + 2)}
    return whole.things if whole.things >= FEWEST_STEPS and not beside.isdisjoint(words("steps_made")) else None


def _percent_of(message: Message, number: Number) -> str | None:
    """What a share in per cent is of: an epoch that is named behind it, a run that is so far done."""
    behind = [
        message.token(p) for p in range(number.end, number.end + NEAR) if p < len(message.tokens) and _one(message, p)
    ]
    if not words("epoch_words").isdisjoint(behind):
        return EPOCH
    if not words("whole_run").isdisjoint(behind):
        return RUN
    before = {message.token(p) for p in range(number.start - NEAR, number.start)}
    if not before.isdisjoint(words("not_progress")):
        return None
    first = ":" in message.gaps[number.start] or message.token(number.start - 1) in words("at")
    if first and message.token(number.end) in words("after_what"):
        return RUN  # "my run: 40% after 6 hours"
    around = (message.token(number.start - 1), message.token(number.end), message.token(number.end + 1))
    return RUN if not words("far_come").isdisjoint(around) else None


def _one(message: Message, place: int) -> bool:
    return message.parts[place] <= BRACKET


def _of_epoch(message: Message, number: Number) -> bool:
    """ "0.02 epoch", "epoch 0.02", "'epoch': 0.02"."""
    before = message.token(number.start - 1)
    named = message.token(number.end) in words("epoch_words") or before in words("epoch_words")
    return named and before not in words("not_progress")


def _all_steps(message: Message, numbers: Mapping[int, Number]) -> Number | None:
    """The steps of the whole run: "insgesamt sind es 6000", "8000 in total"."""
    if "all_told" not in message.said:
        return None
    for at, token in enumerate(message.tokens):
        if token not in words("all_told"):
            continue
        for place in (*range(at + 1, at + NEAR), *range(at - 1, at - NEAR, -1)):
            number = numbers.get(place)
            counts = number is not None and number.unit in (PLAIN, "k") and number.things >= FEWEST_STEPS
            if counts and not _parted(message, at, place):
                return number
    return None

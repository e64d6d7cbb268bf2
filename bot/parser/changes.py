"""Settings that were changed: "set grad accumulation from 16 to 2", "von Batch 8 auf 1", "context down to 2k from 8k".

The value is the one that it has now.
"""

from collections.abc import Mapping
from itertools import compress, count

from bot.parser.numbers import PLAIN, Number
from bot.parser.slots import Slots
from bot.parser.text import JOINED, Message
from bot.parser.words import words

SETTINGS = (
    ("grad_accum", "accumulating_words"),
    ("micro_batch", "batch_words"),
    ("lora_rank", "rank_words"),
    ("seq_len", "limits"),
    ("seq_len", "token_units"),
)
"""Slot, and the list of the words that name it; the surer one first."""
REACH = 3
"""Tokens beside "from" and the values that name the setting: "batch size of mine", "in batch size"."""
MOST = 8192
SHORTEST, LONGEST = 32, 12_000_000
"""Tokens."""
LENGTHS = frozenset({PLAIN, "k", "m"})


def state_changes(slots: Slots, message: Message, numbers: Mapping[int, Number]) -> None:
    """Fills batch, accumulation, rank and length with the second of two values, where no phrase named another."""
    if not message.said.issuperset(("from_value", "to_value")):
        return
    for place in compress(count(), map(words("from_value").__contains__, message.tokens)):
        found = _forwards(message, numbers, place) or _backwards(message, numbers, place)
        if found is None:
            continue
        slot, before, now = found
        old, new = (_of(slot, number) for number in (before, now))
        if old is None or new is None or (slots.states(slot) and slots.values[slot] not in (old, new)):
            continue
        slots.drop(slot)
        slots.state(slot, new)
        message.take(min(place, now.start - 1), max(before.end, now.end))


def _of(slot: str, number: Number) -> int | None:
    """The value of a number for a slot, None where it is none."""
    if slot == "seq_len":
        fits = number.unit in LENGTHS and SHORTEST <= number.length <= LONGEST
        return number.length if fits else None
    whole = number.unit == PLAIN and number.value == int(number.value) and 1 <= number.value <= MOST
    return int(number.value) if whole else None


def _forwards(message: Message, numbers: Mapping[int, Number], place: int) -> tuple[str, Number, Number] | None:
    """ "batch from 16 down to 2", "from batch 16 to 2", "from 4096 to 1024 tokens"."""
    at = _past_words(message, numbers, place + 1)
    first = numbers.get(at)
    if first is None:
        return None
    end = first.end
    end += message.token(end) in words("token_units")
    end += message.token(end) in words("raising")
    second = numbers.get(_past_words(message, numbers, end + 1)) if message.token(end) in words("to_value") else None
    if second is None:
        return None
    for beside in (range(place + 1, at), _before(message, place), _behind(message, second.end)):
        if (slot := _named(message, beside)) is not None:
            return slot, first, second
    return None


def _backwards(message: Message, numbers: Mapping[int, Number], place: int) -> tuple[str, Number, Number] | None:
    """ "brought the batch down to 2 from 16"."""
    first = numbers.get(place + 1)
    second = next((numbers[at] for at in (place - 1, place - 2) if at in numbers and numbers[at].end == place), None)
    if first is None or second is None or message.token(second.start - 1) not in words("to_value"):
        return None
    start = second.start - 1
    start -= message.token(start - 1) in words("raising")
    slot = _named(message, _before(message, start))
    return None if slot is None else (slot, first, second)


def _past_words(message: Message, numbers: Mapping[int, Number], at: int) -> int:
    """The first number from a place on, a few words of the same phrase on."""
    for ahead in range(at, at + REACH):
        if ahead in numbers or ahead >= len(message.tokens) or (ahead > at and message.parts[ahead] > JOINED):
            return ahead
    return at + REACH


def _before(message: Message, place: int) -> range:
    first = place
    while first > max(0, place - REACH) and message.parts[first] <= JOINED:
        first -= 1
    return range(first, place)


def _behind(message: Message, end: int) -> range:
    last = end
    while last < min(len(message.tokens), end + REACH) and message.parts[last] <= JOINED:
        last += 1
    return range(end, last)


def _named(message: Message, places: range) -> str | None:
    """The slot that some words name."""
    said = set(message.tokens[places.start : places.stop])
    return next((slot for slot, named in SETTINGS if not words(named).isdisjoint(said)), None)

"""Settings that were changed: "set grad accumulation from 16 to 2", "batch von 8 auf 1": the value that it has now."""

from collections.abc import Mapping
from itertools import compress, count

from bot.parser.numbers import PLAIN, Number
from bot.parser.slots import Slots
from bot.parser.text import JOINED, Message
from bot.parser.words import words

SETTINGS = (("grad_accum", "accumulating_words"), ("micro_batch", "batch_words"))
"""Slot → list of the words that name it, the surer one first."""
REACH = 3
"""Tokens before "from" that name the setting: "batch size of mine"."""
MOST = 8192


def state_changes(slots: Slots, message: Message, numbers: Mapping[int, Number]) -> None:
    """Fills batch and accumulation with the second of two values, where no phrase named one."""
    if not message.said.issuperset(("coming_from", "towards")):
        return
    for place in compress(count(), map(words("coming_from").__contains__, message.tokens)):
        first = numbers.get(place + 1)
        second = None if first is None else _second(message, numbers, first)
        slot = _setting(message, place)
        if first is None or second is None or slot is None or second.value != int(second.value):
            continue
        if slots.states(slot) and slots.values[slot] != first.value:
            continue
        if second.unit == PLAIN and 1 <= second.value <= MOST:
            slots.drop(slot)
            slots.state(slot, int(second.value))
            message.take(place, second.end)


def _second(message: Message, numbers: Mapping[int, Number], first: Number) -> Number | None:
    """The 2 of "from 16 down to 2"."""
    at = first.end
    at += message.token(at) in words("raising")
    return numbers.get(at + 1) if message.token(at) in words("towards") else None


def _setting(message: Message, place: int) -> str | None:
    """The slot that the words before "from" name."""
    first = place
    while first > max(0, place - REACH) and message.parts[first] <= JOINED:
        first -= 1
    before = message.tokens[first:place]
    return next((slot for slot, named in SETTINGS if not words(named).isdisjoint(before)), None)

"""A model said to be in 16 bit, and a figure that is four bytes a parameter: "7B in fp16 still takes 28 GB"."""

from collections.abc import Mapping

from bot.parser.numbers import MEMORY, SIZE, Number
from bot.parser.slots import Slots
from bot.parser.text import Message

FORMATS = frozenset({"fp", "bf", "float", "bfloat", "half"})
REACH = 9
"""Tokens between a size and its figure."""
LEAST, MOST = 3.6, 4.4
"""Bytes a parameter that are meant by four."""


def state_loaded_wide(slots: Slots, message: Message, numbers: Mapping[int, Number]) -> None:
    """Names the size and the figure, in billions and GB."""
    size: Number | None = None
    for place in sorted(numbers):
        number = numbers[place]
        if number.unit == SIZE:
            size = number
        elif number.unit == MEMORY and size is not None and number.start - size.end <= REACH:
            between = {message.token(at) for at in range(size.end, number.start)}
            if not between.isdisjoint(FORMATS) and LEAST <= number.value / max(size.value, 0.1) <= MOST:
                slots.named["loaded_wide"] = (f"{size.value:g}", f"{number.value:g}")
                return

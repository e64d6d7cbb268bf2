"""Only some layers are trained in full: "freeze everything except the last 4 layers", "nur die letzten zwei Layer"."""

from collections.abc import Mapping
from typing import Any

from bot.parser.grammar import Grammar
from bot.parser.numbers import PLAIN, Number
from bot.parser.slots import Slots
from bot.parser.text import COMMA, Message
from bot.parser.words import words

MOST_LAYERS = 200
REACH = 3
"""Tokens between "last", the number and "layers"."""


def state_frozen(slots: Slots, message: Message, numbers: Mapping[int, Number], grammar: Grammar) -> None:
    """Names how many of the last layers are trained, or how many of the first ones are frozen."""
    if not message.said.issuperset(("freeze_words", "layer_words")) or "layer_ends" not in message.said:
        return
    counts = grammar.lists["count"]
    for at, word in enumerate(message.tokens):
        if word not in words("layer_words"):
            continue
        before = range(max(0, at - REACH), at)
        if any(message.parts[place + 1] >= COMMA for place in before):
            before = range(at - 1, at)
        end = next((message.tokens[p] for p in before if message.tokens[p] in words("layer_ends")), None)
        many = next((number for p in before if (number := _count(message, numbers, counts, p))), 0)
        if end is not None and 0 < many <= MOST_LAYERS:
            first = end in words("first_words")
            slots.named["frozen"] = ("first" if first else "last", str(many))
            return


def _count(message: Message, numbers: Mapping[int, Number], counts: Mapping[str, Any], place: int) -> int:
    number = numbers.get(place)
    if number is not None:
        return int(number.value) if number.unit == PLAIN and number.value == int(number.value) else 0
    return int(counts.get(message.tokens[place], 0))

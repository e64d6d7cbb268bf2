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
OPTIONS = (("freeze", "trainable", "layers"), ("num", "layer", "trainable"))
"""LLaMA-Factory's options for the number of last layers that are trained, new and old."""
WITH_A_MODE = "llama-factory"


def state_frozen(slots: Slots, message: Message, numbers: Mapping[int, Number], grammar: Grammar) -> None:
    """Names how many of the last layers are trained, or how many of the first ones are frozen."""
    if "freezing" in message.said or "trainable_words" in message.said:
        _state_mode(slots, message, numbers)
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


def _state_mode(slots: Slots, message: Message, numbers: Mapping[int, Number]) -> None:
    """ "LLaMA-Factory in freeze mode", "freeze_trainable_layers: 1": the method, and the layers that are trained."""
    tokens = message.tokens
    for at in range(len(tokens) - len(OPTIONS[0])):
        if tuple(tokens[at : at + 3]) in OPTIONS and (many := _count(message, numbers, {}, at + 3)):
            slots.named["frozen"] = ("last", str(min(many, MOST_LAYERS)))
            slots.state("method", "freeze")
            return
    if slots.methods or slots.states("method"):
        return  # "freeze tuning or LoRA" compares
    of_layers = slots.values.get("trainer") == WITH_A_MODE and "layer_words" in message.said
    for at, word in enumerate(tokens):
        if word not in words("freezing"):
            continue
        if (
            of_layers
            or message.token(at + 1) in words("freeze_modes")
            or message.token(at - 1) in words("freeze_modes")
        ):
            slots.state("method", "freeze")
            return


def _count(message: Message, numbers: Mapping[int, Number], counts: Mapping[str, Any], place: int) -> int:
    number = numbers.get(place)
    if number is not None:
        return int(number.value) if number.unit == PLAIN and number.value == int(number.value) else 0
    return int(counts.get(message.tokens[place], 0))

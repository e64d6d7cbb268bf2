"""Who trains or runs on the processor alone: "tinyllama on CPU, i7-12700, 32GB", "geht das auf der CPU?"."""

from itertools import compress, count

from bot.parser.cards import Cards
from bot.parser.slots import Slots
from bot.parser.text import COMMA, Message
from bot.parser.words import words

REACH = 3
"""Tokens of "on my old CPU"."""
CPU = "cpu"


def only_processor(message: Message, slots: Slots, cards: Cards) -> bool:
    """Whether a case is told to be on a CPU and no card is named: not merging, loading or offloading to it."""
    if CPU not in message.tokens or cards.cards or slots.values.get("offload") not in (None, "none"):
        return False
    if not message.said.isdisjoint(("to_the_cpu", "host_work")) or "params_b" not in slots.values:
        return False
    return any(_is_on(message, place) for place in compress(count(), map(CPU.__eq__, message.tokens)))


def _is_on(message: Message, place: int) -> bool:
    """Whether "on" stands before the word, and it closes its clause or names the processor."""
    for at in range(place - 1, max(-1, place - 1 - REACH), -1):
        if message.parts[at + 1] >= COMMA:
            return False
        if message.tokens[at] in words("on_words"):
            closes = place + 1 >= len(message.tokens) or message.parts[place + 1] >= COMMA
            return closes or message.token(place + 1) in words("processors") | words("train_words")
    return False

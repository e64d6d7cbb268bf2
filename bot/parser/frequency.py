"""How often a run is made, in words: "one or two runs a month", "twice a month"."""

from bot.parser.grammar import Grammar
from bot.parser.slots import Slots
from bot.parser.text import STOP, Message
from bot.parser.words import words

REACH = 3
"""Tokens between "runs" and the month."""


def state_frequency(slots: Slots, message: Message, grammar: Grammar) -> None:
    """Fills the runs a month, where they are counted in words; of "one or two" the larger number."""
    if "a_month" not in message.said or "runs_per_month" in slots.named:
        return
    counts, often = grammar.lists["count"], grammar.lists["often"]
    for place, token in enumerate(message.tokens):
        if not (token in often or token in words("run_units")) or not _a_month(message, place):
            continue
        number = _number(often.get(token) or counts.get(message.token(place - 1)))
        if number:
            slots.named["runs_per_month"] = (f"{number}",)
            return


def _number(word: str | None) -> int:
    return int(word) if word and word.isdigit() else 0


def _a_month(message: Message, place: int) -> bool:
    """ "a month" follows in the same sentence."""
    for at in range(place + 1, min(len(message.tokens), place + 1 + REACH)):
        if message.parts[at] >= STOP:
            return False
        if message.tokens[at] in words("a_month"):
            return True
    return False

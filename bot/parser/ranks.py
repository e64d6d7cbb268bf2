"""Ranks that no phrase names: "r8", "lora 128/256"."""

import re
from collections.abc import Mapping
from itertools import compress, count, pairwise

from bot.parser.numbers import PLAIN, Number
from bot.parser.slots import Slots
from bot.parser.text import Message

RAISED = re.compile(r"\b(?:rank|rang|r)\s(?:from|von)\s\d{1,4}\s(?:up |down )?(?:to|auf|->)\s(\d{1,4})\b")
RANKS = frozenset({"rank", "rang", "r"})
FROM = frozenset({"from", "von"})
GLUED_RANKS = frozenset(f"r{rank}" for rank in (2, 4, *range(8, 2049, 8)))
ADAPTERS = frozenset({"lora", "qlora", "dora"})


def rank_with_alpha(slots: Slots, message: Message, numbers: Mapping[int, Number]) -> None:
    """ "lora 128/256": rank and alpha."""
    if "/" not in message.gaps:
        return
    for place in compress(count(), map(ADAPTERS.__contains__, message.tokens)):
        rank, alpha = numbers.get(place + 1), numbers.get(place + 2)
        if rank is None or alpha is None or message.gaps[place + 2] != "/":
            continue
        usual = f"r{rank.value:g}" in GLUED_RANKS and alpha.value in (rank.value, 2 * rank.value)
        if usual and rank.unit == alpha.unit == PLAIN:
            slots.state("lora_rank", int(rank.value))
            return


def raised_rank(slots: Slots, message: Message, numbers: Mapping[int, Number]) -> None:
    """ "rank from 16 to 256": the one that it is now, and no length."""
    tokens = message.tokens
    if FROM.isdisjoint(tokens) or not any(a in RANKS and b in FROM for a, b in pairwise(tokens)):
        return
    if (found := RAISED.search(message.text)) is None:
        return
    rank = int(found[1])
    slots.state("lora_rank", rank)
    for number in numbers.values():
        if number.value == rank and number.unit == PLAIN:
            message.take(number.start, number.end)


def glued_rank(slots: Slots, message: Message) -> None:
    """ "r8", "r16": a rank; r5, r7 and r9 are processors and r1 is a model."""
    if GLUED_RANKS.isdisjoint(message.tokens):
        return
    free = (token for token, taken in zip(message.tokens, message.taken, strict=True) if not taken)
    rank = next((token for token in free if token in GLUED_RANKS), None)
    if rank is not None:
        slots.state("lora_rank", int(rank[1:]))

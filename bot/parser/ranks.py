"""Ranks that no phrase names: "r8", "lora 128/256", "rank 8 vs 64"."""

from collections.abc import Mapping
from itertools import compress, count

from bot.parser.numbers import PLAIN, Number
from bot.parser.slots import Slots
from bot.parser.text import GLUED, Message
from bot.parser.words import words

GLUED_RANKS = frozenset(f"r{rank}" for rank in (2, 4, *range(8, 2049, 8)))
DIGITS = 4
"""Of the largest rank."""
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


def ranks_beside(slots: Slots, message: Message) -> None:
    """ "rank 8 vs rank 64", "rang 16 oder 32": two that are set side by side."""
    if "rank_words" not in message.said or "choosing" not in message.said:
        return
    for place in compress(count(), map(words("rank_words").__contains__, message.tokens)):
        other = place + 3 + (message.token(place + 3) in words("rank_words"))
        both = (message.token(place + 1), message.token(other))
        if message.token(place + 2) in words("choosing") and GLUED_RANKS.issuperset(map("r{}".format, both)):
            slots.named["lora_rank"] = both
            return


def raised_rank(slots: Slots, message: Message, numbers: Mapping[int, Number]) -> None:
    """ "rank from 16 to 256": the one that it is now, and no length."""
    if not message.said.issuperset(("rank_words", "coming_from")):
        return
    ranks = compress(count(), map(words("rank_words").__contains__, message.tokens))
    rank = next(filter(None, (_raised_to(message, place + 1) for place in ranks)), None)
    if rank is None:
        return
    slots.state("lora_rank", rank)
    for number in numbers.values():
        if number.value == rank and number.unit == PLAIN:
            message.take(number.start, number.end)


def _raised_to(message: Message, place: int) -> int | None:
    """The 256 of "from 16 up to 256"."""
    if message.token(place) not in words("coming_from") or not message.token(place + 1).isdecimal():
        return None
    to = place + 2
    to += message.token(to) in words("raising")
    if message.token(to) in words("towards"):
        to += 1
    elif not message.token(to) or not message.turned_into(to):
        return None
    rank = message.token(to)
    glued = message.token(to + 1) and message.parts[to + 1] == GLUED  # "256k"
    return int(rank) if rank.isdecimal() and len(rank) <= DIGITS and not glued else None


def glued_rank(slots: Slots, message: Message) -> None:
    """ "r8", "r16": a rank; r5, r7 and r9 are processors and r1 is a model."""
    if GLUED_RANKS.isdisjoint(message.tokens):
        return
    free = (token for token, taken in zip(message.tokens, message.taken, strict=True) if not taken)
    rank = next((token for token in free if token in GLUED_RANKS), None)
    if rank is not None:
        slots.state("lora_rank", int(rank[1:]))

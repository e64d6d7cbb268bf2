"""RAM in use is no RAM that there is: "zeigt 26,4 GB RAM = 84,6 %. Hab 32 GB drin", "RAM at 61.7 GB, I have 64"."""

from bot.parser.cards.machine import RAM_SIZES
from bot.parser.cards.reader import CardReader
from bot.parser.numbers import MEMORY, PLAIN, Number
from bot.parser.slots import Slots
from bot.parser.text import COMMA
from bot.parser.words import words

HAVING_REACH = 3
"""Tokens between "have" and the amount: "hab ja nur 32 GB"."""
SHARE_REACH = 3
"""Tokens between an amount and its share of the whole."""
NEAR = 0.09
"""How much a tool's whole is off the amount on the box: GiB against GB, and what the firmware keeps."""
PERCENT = 100.0
LEAST_PERCENT = 5.0


def state_installed(slots: Slots, reader: CardReader) -> None:
    """Puts the RAM that there is in place of an amount that was in use."""
    used = slots.values.get("ram_gb") if slots.states("ram_gb") else None
    if used is None and not reader.tells_of_ram:
        return
    if used in RAM_SIZES and not _is_shown(reader, used):
        return
    there = _owned(reader, used or 0.0)
    if there is None and used is not None:
        there = _by_share(reader, used)
    if there is not None:
        slots.drop("ram_gb")
        slots.state("ram_gb", there)


def _is_shown(reader: CardReader, used: float) -> bool:
    """Whether a tool shows that amount: "it sits at 32 GB of RAM"."""
    same = (number for number in reader.numbers.values() if number.value == used)
    return any(reader.told("seen", number.start, HAVING_REACH) for number in same)


def _owned(reader: CardReader, used: float) -> float | None:
    """The larger amount that the asker has."""
    for number in reader.numbers.values():
        free = number.unit in (MEMORY, PLAIN) and number.start not in reader.named and number.value in RAM_SIZES
        if free and number.value > used and _is_owned(reader, number, surely=not used):
            reader.memory_used.add(number.start)
            reader.message.take(number.start, number.end)
            reader.found = [card for card in reader.found if card.gpu or card.start != number.start]
            return number.value
    return None


def _is_owned(reader: CardReader, number: Number, *, surely: bool) -> bool:
    """ "Hab 32 GB drin", "64 GB installed", "30 of 64"; `surely`: by a word that only a machine's memory has."""
    behind = reader.next_word(number.end)
    if behind in reader.lists["vram"] or behind in reader.lists["card"]:
        return False
    part = reader.number_ending(number.start - 1) if reader.token(number.start - 1) in words("of") else None
    if part is not None and part.value < number.value and not surely:
        return True
    if behind in words("installed") or surely:
        return behind in words("installed")
    ends = number.end >= len(reader.message.tokens) or reader.message.parts[number.end] >= COMMA
    had = reader.told("having", number.start, HAVING_REACH)
    return had and (ends or behind in reader.lists["ram"] or behind in words("still") | words("own_memory"))


def _by_share(reader: CardReader, used: float) -> float | None:
    """The 32 of "26.4 GB (84.6 %)": what so many percent are of, where machines have that."""
    for number in reader.numbers.values():
        if number.value != used or used in RAM_SIZES:
            continue
        for place in range(number.end, number.end + SHARE_REACH + 1):
            share = reader.numbers.get(place)
            if share is None or share.unit != PLAIN or not LEAST_PERCENT < share.value < PERCENT:
                continue
            if reader.message.gaps[share.end].lstrip()[:1] == "%":
                whole = used * PERCENT / share.value
                return next((float(gb) for gb in sorted(RAM_SIZES) if abs(gb - whole) <= NEAR * gb), None)
    return None

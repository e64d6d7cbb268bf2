"""Memory that processor and card share: "M1 with just 8gb", "8 GB in meinem M1", "M2 Max, 32GB RAM"."""

from bot.parser.cards.machine import is_claim
from bot.parser.cards.reader import Card, CardReader
from bot.parser.cards.shelf import shelf
from bot.parser.numbers import MEMORY, Number
from bot.parser.text import STOP
from bot.parser.volumes import is_of_data
from bot.parser.words import words

REACH = 3
"""Tokens between a word for use and the amount."""


def read_unified(reader: CardReader) -> None:
    """Gives the only machine of its kind the amount that is told of it, apart from its name or called its RAM."""
    options = {card.gpu: book.memory_options_gb for card in reader.found if (book := shelf().gpus.get(card.gpu or ""))}
    if len(options) != 1:
        return
    sold = next(iter(options.values()))
    open_ones = [card for card in reader.found if card.gpu and card.vram_gb is None]
    if not sold or not open_ones:
        return
    amount = _as_ram(reader)
    if amount not in sold:
        amount = _told(reader, open_ones[0], [float(gb) for gb in sold])
    if amount is not None:
        for card in open_ones:
            card.vram_gb = amount


def _as_ram(reader: CardReader) -> float | None:
    """The amount that is called the machine's RAM, of which none is to choose."""
    if reader.ram_choice:
        return None
    named = [found for found in reader.findings.slots if found.target.name == "ram_gb" and found.number is not None]
    own = (found for found in named if reader.clauses is None or not reader.clauses.hearsay(found.start))
    phrased = [found.number.value for found in own if found.number is not None]
    return next(iter((*reader.ram, *phrased)), None)


def _told(reader: CardReader, card: Card, sold: list[float]) -> float | None:
    """The one amount that such a machine is sold with: of the card's own sentence, else of the message."""
    free = [number for number in reader.numbers.values() if number.value in sold and _may_be(reader, number)]
    same = [number for number in free if _joined(reader, *sorted((number.start, card.start)))]
    for group in (same, free):
        if len({number.value for number in group}) == 1:
            reader.memory_used.update(number.start for number in group)
            for number in group:
                reader.message.take(number.start, number.end)
            return group[0].value
        if group:
            return None
    return None


def _joined(reader: CardReader, start: int, end: int) -> bool:
    """Whether one sentence holds both places."""
    return all(reader.message.parts[place] < STOP for place in range(start + 1, end + 1))


def _may_be(reader: CardReader, number: Number) -> bool:
    """Whether nothing around an amount says that it is a run's, a disk's, or asked about."""
    message = reader.message
    if number.unit != MEMORY or number.start in reader.memory_used or message.taken[number.start]:
        return False
    if is_claim(reader, number) or is_of_data(message, number):
        return False
    used = (words("usage") | words("seen")) - words("before_memory")
    before = reader.before(number.start, REACH)
    if not used.isdisjoint(before) or not words("is_it_enough").isdisjoint(before[:1]):
        return False
    of_a_file = words("after_usage") - words("before_ram")
    of_a_run = words("seen_after") | words("used_behind") | words("storage") | words("remaining")
    following = [reader.next_word(place) for place in range(number.end, number.end + REACH)]
    return of_a_file.isdisjoint(following[:1]) and of_a_run.isdisjoint(following)

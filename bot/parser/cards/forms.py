"""The same chip in another form or size, named by that alone: "H100 PCIe vs SXM", "4060 Ti 8GB or 16GB"."""

from bot.parser.cards.reader import Card, CardReader
from bot.parser.cards.shelf import is_that_memory, shelf
from bot.parser.numbers import MEMORY
from bot.parser.text import COMMA
from bot.parser.words import words

FURTHEST = 2
"""Tokens between a card and its other form: "vs", "or the"."""


def add_other_forms(reader: CardReader) -> None:
    """Adds the second side of a choice between two rows of one name."""
    alternatives = reader.findings.marks.get("alternative")
    if alternatives is None:
        return
    for card in [card for card in reader.found if card.gpu]:
        for place in range(card.end, card.end + FURTHEST):
            if place in alternatives:
                other = _other(reader, card, place + 1)
                if other is not None:
                    reader.add(other)
                break


def form_of(reader: CardReader, card: Card) -> str:
    """ "pcie", when the name was written with its form."""
    return next((token for token in reader.message.tokens[card.start : card.end] if token in words("forms")), "")


def _other(reader: CardReader, card: Card, place: int) -> Card | None:
    twins = [twin for twin in shelf().twins.get(card.gpu or "", ()) if twin != card.gpu]
    if place >= len(reader.message.tokens) or reader.message.parts[place] >= COMMA:
        return None
    number = reader.numbers.get(place)
    if number is not None and number.unit == MEMORY and card.vram_gb and number.start not in reader.memory_used:
        found = next((t for t in twins if is_that_memory(number.value, shelf().vram_gb(t) or 0.0)), None)
        if found is None or is_that_memory(number.value, card.vram_gb):
            return None
        reader.memory_used.add(number.start)
        return Card(place, number.end, found, count=card.count, counted=card.counted, vram_gb=number.value)
    word = reader.token(place)
    if word in words("forms"):
        of_form = next((t for t in twins if word in t.split("-")), None)
        if of_form is not None:
            return Card(place, place + 1, of_form, count=card.count, counted=card.counted)
    return None

"""What a kilowatt-hour costs the asker: "0.35 €/kWh", "35 ct pro kWh"."""

from collections.abc import Mapping

from bot.parser.grammar import Grammar
from bot.parser.money import AMOUNTS, currency_of
from bot.parser.numbers import Number
from bot.parser.slots import Slots
from bot.parser.text import Message
from bot.parser.words import words

KWH = "kwh"
REACH = 4
"""Tokens after a price in which the unit stands."""
CENTS = 0.01
LEAST, MOST = 0.01, 2.0
"""A kilowatt-hour costs something between."""


def state_power_price(slots: Slots, message: Message, numbers: Mapping[int, Number], grammar: Grammar) -> None:
    """Fills the price of a kilowatt-hour, its currency, and whether the hours are those of a day."""
    if KWH not in message.tokens:
        return
    for number in numbers.values():
        beside = _beside(message, number)
        if number.unit not in AMOUNTS or beside is None:
            continue
        cents = not words("cents").isdisjoint(beside)
        price = number.value * (CENTS if cents else 1)
        if LEAST <= price <= MOST:
            currency = currency_of(message, number, grammar.lists["currency"]) or ("EUR" if cents else "")
            daily = "day" if not words("daily").isdisjoint(message.tokens) else ""
            slots.named["per_kwh"] = (f"{price:g}", currency, daily)
            return


def _beside(message: Message, number: Number) -> list[str] | None:
    """The words between a price and the unit behind it ("35 ct pro kWh"), or all around one before it ("a kWh is 35
    ct"); None where no unit is near, or another number stands between: "20 h, 35 ct/kWh".
    """
    tokens, figures = message.tokens, message.figures
    behind = tokens[number.end : number.end + REACH]
    if KWH in behind:
        between = behind[: behind.index(KWH)]
        return None if any(figures[number.end : number.end + len(between)]) else between
    first = max(0, number.start - REACH)
    before = tokens[first : number.start]
    if KWH not in before:
        return None
    at = first + before.index(KWH)
    return None if any(figures[at : number.start]) or (at and figures[at - 1]) else behind

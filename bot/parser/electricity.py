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
        behind = message.tokens[number.end : number.end + REACH]
        if number.unit not in AMOUNTS or KWH not in behind:
            continue
        cents = not words("cents").isdisjoint(behind[: behind.index(KWH)])
        price = number.value * (CENTS if cents else 1)
        if LEAST <= price <= MOST:
            currency = currency_of(message, number, grammar.lists["currency"]) or ("EUR" if cents else "")
            daily = "day" if not words("daily").isdisjoint(message.tokens) else ""
            slots.named["per_kwh"] = (f"{price:g}", currency, daily)
            return

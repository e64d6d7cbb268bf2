"""What cards cost to buy, as the asker names it: "3090 (ca. 700€) gegen RTX PRO 4000 (neu ca. 1400€)"."""

from collections.abc import Mapping

from bot.parser.cards import CardReader
from bot.parser.grammar import Grammar
from bot.parser.money import AMOUNTS, currency_of, is_per_hour, names_money
from bot.parser.numbers import Number
from bot.parser.text import STOP
from bot.parser.words import words

REACH = 5
"""Tokens between a card and its price."""
LEAST = 20
"""A smaller amount is no price of a card."""
PAIR = 2


def asked_prices(reader: CardReader, numbers: Mapping[int, Number], grammar: Grammar) -> dict[str, float]:
    """Card id → price, where two or more cards have one behind them."""
    message, currencies = reader.message, grammar.lists["currency"]
    found: dict[str, float] = {}
    if len(reader.found) < PAIR or not names_money(message, currencies):
        return found
    for number in numbers.values():
        if number.unit not in AMOUNTS or number.things < LEAST or is_per_hour(message, number, grammar):
            continue
        if currency_of(message, number, currencies) is None or message.token(number.end) in words("energy"):
            continue
        before = [card for card in reader.found if card.gpu and card.end <= number.start <= card.end + REACH]
        card = max(before, key=lambda one: one.end, default=None)
        if card is not None and card.gpu and all(message.parts[at] < STOP for at in range(card.end, number.start)):
            found.setdefault(card.gpu, number.things)
    return found if len(found) >= PAIR else {}

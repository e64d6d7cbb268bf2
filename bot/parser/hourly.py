"""Hourly prices that the asker quotes, by card: "A40 48GB at ~0.74/h and A100 80 ~2/h"."""

from collections.abc import Mapping

from bot.parser.cards import CardReader
from bot.parser.grammar import Grammar
from bot.parser.money import AMOUNTS, currency_of, is_per_hour, is_range
from bot.parser.numbers import Number
from bot.parser.text import STOP, Message

REACH = 6
"""Tokens between a card and its price."""
DEAREST = 1000.0


def hourly_prices(
    reader: CardReader, numbers: Mapping[int, Number], grammar: Grammar
) -> dict[str, float | tuple[float, float]]:
    """Card id → USD per hour, or the ends of a range, for prices that stand behind the name of a card."""
    message = reader.message
    found: dict[str, float | tuple[float, float]] = {}
    for number in numbers.values():
        if number.unit not in AMOUNTS or not is_per_hour(message, number, grammar):
            continue
        if currency_of(message, number, grammar.lists["currency"]) not in (None, "USD") or number.value > DEAREST:
            continue
        before = [card for card in reader.found if card.gpu and card.end <= number.start <= card.end + REACH]
        card = max(before, key=lambda one: one.end, default=None)
        if card is None or card.gpu is None:
            continue
        if all(message.parts[place] < STOP for place in range(card.end, number.start + 1)):
            found.setdefault(card.gpu, _whole(message, number, numbers))
    return found or _of_the_only_card(reader, numbers, grammar)


def _whole(message: Message, number: Number, numbers: Mapping[int, Number]) -> float | tuple[float, float]:
    """The price, or both ends of "1-2/hr" and "1 to 2/hr", whose lower one stands first."""
    after = next((numbers[place] for place in (number.end, number.end + 1) if place in numbers), None)
    if after is None or after.unit not in AMOUNTS or not number.value < after.value <= DEAREST:
        return number.value
    return (number.value, after.value) if is_range(message, number, after) else number.value


def _of_the_only_card(
    reader: CardReader, numbers: Mapping[int, Number], grammar: Grammar
) -> dict[str, float | tuple[float, float]]:
    """The one hourly price of a text that names one card: "a 3090 for 700 instead of renting at 0.25/h"."""
    message, cards = reader.message, {card.gpu for card in reader.found if card.gpu}
    prices = [n for n in numbers.values() if n.unit in AMOUNTS and is_per_hour(message, n, grammar)]
    if len(cards) != 1 or len(prices) != 1 or prices[0].value > DEAREST:
        return {}
    if currency_of(message, prices[0], grammar.lists["currency"]) not in (None, "USD"):
        return {}
    return dict.fromkeys(cards, prices[0].value)

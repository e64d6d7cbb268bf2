"""Hourly prices that the asker quotes, by card: "A40 48GB at ~0.74/h and A100 80 ~2/h"."""

from collections.abc import Mapping

from bot.parser.cards import Card, CardReader
from bot.parser.grammar import Grammar
from bot.parser.money import AMOUNTS, currency_of, is_per_hour, is_range
from bot.parser.numbers import Number
from bot.parser.text import STOP, Message
from bot.parser.words import words
from knowledge.catalog import load_catalog

Price = float | tuple[float, float]
"""USD per hour and card, or the ends of a range."""
SEVERAL = 2
TOO_DEAR = 1.2
"""Times the dearest hour that is known of a card from which on a price is that of all cards of a machine."""
EACH_REACH = 4
"""Tokens after a price in which "each" says that it is one card's."""
REACH = 6
"""Tokens between a card and its price."""
DEAREST = 1000.0


def hourly_prices(reader: CardReader, numbers: Mapping[int, Number], grammar: Grammar) -> dict[str, Price]:
    """Card id → USD per hour, or the ends of a range, for prices that stand behind the name of a card."""
    found: dict[str, Price] = {}
    for gpu, price in _offers(reader, numbers, grammar):
        found[gpu] = _cheaper(found.get(gpu), price)
    return _listed(reader, numbers, grammar) or found or _of_the_only_card(reader, numbers, grammar)


def dearer_hour(reader: CardReader, numbers: Mapping[int, Number], grammar: Grammar) -> float | None:
    """USD per hour and card of the dearest of several offers for the one card of a text."""
    offers = _offers(reader, numbers, grammar)
    prices = sorted(_low(price) for _, price in offers)
    return prices[-1] if len({gpu for gpu, _ in offers}) == 1 and prices[-1] > prices[0] else None


def _offers(reader: CardReader, numbers: Mapping[int, Number], grammar: Grammar) -> list[tuple[str, Price]]:
    """Every price per hour behind the name of a card."""
    message = reader.message
    offers: list[tuple[str, Price]] = []
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
            offers.append((card.gpu, _each(reader, card, number, _whole(message, number, numbers))))
    return offers


def _listed(reader: CardReader, numbers: Mapping[int, Number], grammar: Grammar) -> dict[str, Price]:
    """ "A40 vs A6000 vs L40 ... 0.40/0.50/0.99 per hour": as many prices in a row as there are cards."""
    cards = list(dict.fromkeys(card.gpu for card in reader.found if card.gpu))
    last = next((n for n in numbers.values() if n.unit in AMOUNTS and is_per_hour(reader.message, n, grammar)), None)
    if len(cards) < SEVERAL or last is None:
        return {}
    row = [last]
    while (before := reader.number_ending(row[0].start)) and reader.message.gaps[row[0].start].strip(" $") == "/":
        row.insert(0, before)
    return dict(zip(cards, (n.value for n in row), strict=True)) if len(row) == len(cards) else {}


def _cheaper(known: Price | None, price: Price) -> Price:
    """Of two offers for one card the lower one: a question names it to take it."""
    return price if known is None or _low(price) < _low(known) else known


def _low(price: Price) -> float:
    return price[0] if isinstance(price, tuple) else price


def _each(reader: CardReader, card: Card, number: Number, price: Price) -> Price:
    """The price of one card, where it is told of a machine with several: "8x A100 80 rented at about 12 $/h". It is,
    when it is no usual price of a single card and nobody says "each".
    """
    if card.count < SEVERAL or _is_of_each(reader, number) or _low(price) <= TOO_DEAR * _usual(card.gpu):
        return price
    if isinstance(price, tuple):
        return price[0] / card.count, price[1] / card.count
    return price / card.count


def _is_of_each(reader: CardReader, number: Number) -> bool:
    """ "$2/h each", "1,29 $ pro A100 und Stunde"."""
    behind = range(number.end, min(len(reader.message.tokens), number.end + EACH_REACH))
    each = (reader.lists["each"].keys() | reader.lists["card"].keys() | words("a_piece")) - words("per")
    return any(reader.message.tokens[at] in each or at in reader.named for at in behind)


def _usual(gpu_id: str | None) -> float:
    """The dearest hour of a card that the catalog knows."""
    prices = [price.price for price in load_catalog().prices_of(gpu_id or "") if price.kind == "cloud"]
    return max(prices, default=DEAREST)


def _whole(message: Message, number: Number, numbers: Mapping[int, Number]) -> Price:
    """The price, or both ends of "1-2/hr" and "1 to 2/hr", whose lower one stands first."""
    after = next((numbers[place] for place in (number.end, number.end + 1) if place in numbers), None)
    if after is None or after.unit not in AMOUNTS or not number.value < after.value <= DEAREST:
        return number.value
    return (number.value, after.value) if is_range(message, number, after) else number.value


def _of_the_only_card(reader: CardReader, numbers: Mapping[int, Number], grammar: Grammar) -> dict[str, Price]:
    """The one hourly price of a text that names one card: "a 3090 for 700 instead of renting at 0.25/h"."""
    message, cards = reader.message, {card.gpu for card in reader.found if card.gpu}
    prices = [n for n in numbers.values() if n.unit in AMOUNTS and is_per_hour(message, n, grammar)]
    if len(cards) != 1 or len(prices) != 1 or prices[0].value > DEAREST:
        return {}
    if currency_of(message, prices[0], grammar.lists["currency"]) not in (None, "USD"):
        return {}
    card = next(card for card in reader.found if card.gpu)
    return dict.fromkeys(cards, _each(reader, card, prices[0], prices[0].value))

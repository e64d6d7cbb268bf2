"""Money: a budget, its currency, and prices per hour, which are no budget."""

from collections.abc import Mapping

from bot.parser.grammar import Grammar
from bot.parser.numbers import CURRENCY_MARKS, PLAIN, Number
from bot.parser.slots import Slots
from bot.parser.text import JOINED, Message
from bot.parser.words import words

AMOUNTS = (PLAIN, "k", "thousand")
NOT_BEFORE = ("rs",)
"""Short words for a currency that are something else before a number."""


def read_money(slots: Slots, message: Message, numbers: Mapping[int, Number], grammar: Grammar) -> bool:
    """Fills budget and currency. Returns whether there is a price per hour."""
    hourly = False
    for number in numbers.values():
        if number.unit not in AMOUNTS:
            continue
        currency = _currency(message, number, grammar.lists["currency"])
        if currency is None and number.value != int(number.value) and _per_hour(message, number, grammar):
            currency = "USD"  # "0.74/h": what the clouds count in
        if currency and _per_hour(message, number, grammar):
            slots.assume("currency", currency)
            hourly = True
        elif currency or _is_budget(message, number):
            slots.state("budget", number.things * _thousands(message, number))
            if currency:
                slots.state("currency", currency)
            message.take(number.start, number.end)
    return hourly


def _thousands(message: Message, number: Number) -> int:
    """1000 for "1.500 €": money has no three decimals."""
    whole, _, rest = message.tokens[number.start].partition(".")
    return 1000 if len(rest) == 3 and whole != "0" and number.value < 1000 and number.unit == PLAIN else 1


def _is_budget(message: Message, number: Number) -> bool:
    return not message.taken[number.start] and "budget" in message.tokens[max(0, number.start - 3) : number.start]


def _currency(message: Message, number: Number, currencies: Mapping[str, str]) -> str | None:
    tokens, gaps, start, end = message.tokens, message.gaps, number.start, number.end
    mark = gaps[start].strip()[-1:] or " "
    if mark in CURRENCY_MARKS:
        return CURRENCY_MARKS[mark]
    mark = gaps[end].strip()[:1] or " "
    if mark in CURRENCY_MARKS:
        return CURRENCY_MARKS[mark]
    if end < len(tokens) and message.parts[end] <= JOINED and tokens[end] in currencies:
        return currencies[tokens[end]]
    if start and message.parts[start] <= JOINED and tokens[start - 1] not in NOT_BEFORE:
        return currencies.get(tokens[start - 1])
    return None


def _per_hour(message: Message, number: Number, grammar: Grammar) -> bool:
    """ "0.74/h", "$2 per hour", "2 USD/hr"."""
    following = message.tokens[number.end : number.end + 3]
    gaps = message.gaps[number.end : number.end + 3]
    per = bool(following) and following[0] in words("per")
    hours = grammar.lists["per_hour"]
    return any(word in hours and (per or "/" in gap) for word, gap in zip(following, gaps, strict=False))

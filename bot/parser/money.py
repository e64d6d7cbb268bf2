"""Money: a budget, its currency, and prices per hour, which are no budget."""

from collections.abc import Mapping

from bot.parser.grammar import Grammar
from bot.parser.numbers import CURRENCY_MARKS, PLAIN, Number
from bot.parser.slots import Slots
from bot.parser.text import COMMA, JOINED, STOP, Message
from bot.parser.words import words

OF_MONEY = frozenset({"buying", "spending", "to_buy", "offered", "budget", "budget_sign", "currency", "per_hour"})
"""Lists without a word of which, and without a currency's sign, nothing is read."""
OF_BUDGETS = frozenset({"budget", "budget_sign", "spending", "at_most", "costing_for"})
"""Lists without a word of which no amount without a currency is a budget."""
AMOUNTS = (PLAIN, "k", "thousand", "wan")
BUYING_REACH = 5
"""Tokens between "buy" and what it costs."""
EACH_REACH = 3
"""Tokens after an amount in which "each" says that it is a price."""
PRICE_REACH = 3
"""Words such as "is still at" between a thing and its price."""
ROUNDED = 0.1
"""Share by which somebody rounds a sum."""
LEAST_SPENT = 50
"""A smaller number after "spend" is a time."""
SPENT_REACH = 2
"""Tokens after an amount in which "to spend" may follow."""
PER_REACH = 6
"""Tokens between "per" and the hour of "per A100 80GB and hour"."""
LEAST_LIMIT = 100
BUYING_BEFORE = 6
"""Tokens before an upper end in which a word tells of buying."""
NOT_BEFORE = ("rs",)
"""Short words for a currency that are something else before a number."""


def read_money(slots: Slots, message: Message, numbers: Mapping[int, Number], grammar: Grammar) -> bool:
    """Fills budget and currency. Returns whether there is a price per hour."""
    if OF_MONEY.isdisjoint(message.said) and not _has_mark(message.text):
        return False
    amounts = [number for number in numbers.values() if number.unit in AMOUNTS]
    told: dict[int, str | None] = {}
    if names_money(message, grammar.lists["currency"]):
        told = {number.start: currency_of(message, number, grammar.lists["currency"]) for number in amounts}
    tells = not OF_BUDGETS.isdisjoint(message.said)
    budgets = {number.start for number in amounts if _is_budget(message, number)} if tells else set()
    energy = "energy" in message.said
    rates = _rates(message, amounts, grammar)
    hourly, offers = False, _offers(message, amounts, told, rates) if told else set()
    for number in sorted(amounts, key=lambda amount: amount.start not in budgets):
        currency = told.get(number.start)
        if currency is None and number.value != int(number.value) and number.start in rates:
            currency = "USD"  # "0.74/h": what the clouds count in
        if energy and not words("energy").isdisjoint(message.tokens[number.end : number.end + EACH_REACH]):
            continue  # "0.41 €/kWh"
        if _low_of_range(message, number):
            continue  # of "$600-700" the upper end
        if currency and number.start in rates:
            slots.assume("currency", currency)
            hourly = True
        elif number.start in offers or (
            currency and (_is_price(message, number) or _is_product(message, number, rates, numbers))
        ):
            slots.assume("currency", currency)
            message.take(number.start, number.end)
        elif (low := _low_end(message, number, numbers)) is not None:
            slots.state("budget", low)
            if currency:
                slots.state("currency", currency)
        elif currency or (number.start in budgets and not message.taken[number.start]):
            slots.state("budget", number.things * _thousands(message, number))
            if currency:
                slots.state("currency", currency)
            message.take(number.start, number.end)
    return hourly


def _has_mark(text: str) -> bool:
    """Whether there is a sign for a currency."""
    return "$" in text or (not text.isascii() and any(mark in text for mark in CURRENCY_MARKS))


def names_money(message: Message, currencies: Mapping[str, str]) -> bool:
    """Whether there is a sign or a word for a currency anywhere."""
    named = "currency" in message.said and not currencies.keys().isdisjoint(message.tokens)
    return named or _has_mark(message.text)


def _rates(message: Message, amounts: list[Number], grammar: Grammar) -> set[int]:
    """Places of prices per hour."""
    if "per_hour" not in message.said:
        return set()
    return {number.start for number in amounts if is_per_hour(message, number, grammar)}


def _offers(message: Message, amounts: list[Number], told: Mapping[int, str | None], rates: set[int]) -> set[int]:
    """Places of prices that each stand after a card of their own, "P40 (180€) or 3060 12gb (220€)": no budget.

    `rates`: places of prices per hour, which are none of them.
    """
    priced = []
    for number in amounts:
        before = number.start - 1
        while before >= 0 and message.tokens[before] in words("about") and message.parts[before + 1] < COMMA:
            before -= 1  # "3090 (ca. 700€)"
        if before < 0 or not told[number.start] or number.start in rates:
            continue
        if message.taken[before] or message.tokens[before] in words("priced") or _is_second(message, number):
            priced.append(number.start)
    if any(number.start in priced and _is_second(message, number) for number in amounts):
        return set(priced)  # "280 vs 450 bucks"
    return set(priced) if len(priced) > 1 else set()


def _is_second(message: Message, number: Number) -> bool:
    """The 450 of "280 vs 450 bucks"."""
    versus = message.token(number.start - 1) in words("against")
    return versus and message.token(number.start - 2)[:1].isdigit()


def _is_price(message: Message, number: Number) -> bool:
    """What a thing costs or has cost: "a DGX Spark is $3,999", "430 bucks each", "spent $140"."""
    tokens, start, end = message.tokens, number.start, number.end
    before = tokens[max(0, start - 3) : start]
    if "<" in message.gaps[start] or not (words("at_most").isdisjoint(before) and words("budget").isdisjoint(tokens)):
        return False
    if not words("paid").isdisjoint(before):
        return True
    after = tokens[end : end + EACH_REACH]
    if any(word in words("a_piece") for word in after) and not any(
        message.parts[place] >= STOP for place in range(end, min(len(tokens), end + EACH_REACH))
    ):
        return True
    at = start
    while at > 0 and start - at < PRICE_REACH and tokens[at - 1] in words("costing") and message.parts[at] < COMMA:
        at -= 1
    thing = at > 0 and (message.taken[at - 1] or tokens[at - 1] in words("priced_things"))
    return thing and message.parts[start] < STOP and message.parts[at] < STOP


def _is_product(message: Message, number: Number, rates: set[int], numbers: Mapping[int, Number]) -> bool:
    """The 190 of "12 $/h ... 15.5 hours. so ~190 bucks": what so many hours cost at a price that is told."""
    if not rates:
        return False
    hours = [n.value for n in numbers.values() if n.unit == PLAIN and message.token(n.end) in words("hour_units")]
    return any(
        abs(numbers[rate].value * each - number.things) <= ROUNDED * number.things for rate in rates for each in hours
    )


def _low_of_range(message: Message, number: Number) -> bool:
    end = number.end
    return message.gaps[end].strip() == "-" and end < len(message.tokens) and message.tokens[end][0].isdigit()


def is_range(message: Message, low: Number, high: Number) -> bool:
    """Whether two amounts are the ends of one: "1-2", "1 to 2"."""
    if high.start == low.end:
        return message.gaps[low.end].strip(" $€") == "-"
    return high.start == low.end + 1 and message.tokens[low.end] in words("range")


def _low_end(message: Message, number: Number, numbers: Mapping[int, Number]) -> float | None:
    """The smaller amount of "kaufen (15-20k)": what somebody is ready to pay at least."""
    if number.unit not in ("k", "thousand") or message.gaps[number.start].strip() != "-":
        return None
    low = numbers.get(number.start - 1)
    if low is None or low.unit != PLAIN or low.value >= number.value or message.taken[low.start]:
        return None
    if not any(word in words("buying") for word in message.tokens[max(0, low.start - BUYING_REACH) : low.start]):
        return None
    message.take(low.start, number.end)
    return low.value * 1000


def _thousands(message: Message, number: Number) -> int:
    """1000 for "1.500 €": money has no three decimals."""
    whole, _, rest = message.tokens[number.start].partition(".")
    return 1000 if len(rest) == 3 and whole != "0" and number.value < 1000 and number.unit == PLAIN else 1


def _is_budget(message: Message, number: Number) -> bool:
    if message.taken[number.start]:
        return False
    end, before = number.end, message.tokens[max(0, number.start - 3) : number.start]
    spent = (*before, *message.tokens[end : end + SPENT_REACH])
    if (
        not words("budget").isdisjoint(before)
        or message.ends_with("budget_sign", number.start)
        or (number.things >= LEAST_SPENT and any(word in words("spending") for word in spent))
    ):
        return True
    return _is_limit_of_buying(message, number) or _is_what_an_offer_costs(message, number)


def _is_what_an_offer_costs(message: Message, number: Number) -> bool:
    """ "2 refurbished servers for 6k": a whole number of thousands that closes its clause."""
    end = number.end
    if number.unit != "k" or number.start == 0 or message.tokens[number.start - 1] not in words("costing_for"):
        return False
    closes = end >= len(message.tokens) or message.parts[end] >= COMMA
    return closes and not words("offered").isdisjoint(message.tokens)


def _is_limit_of_buying(message: Message, number: Number) -> bool:
    """ "a replacement under 900": an upper end without a unit where something is to be bought."""
    tokens, end = message.tokens, number.end
    if number.things < LEAST_LIMIT or number.start == 0 or tokens[number.start - 1] not in words("at_most"):
        return False
    if (
        end < len(tokens)
        and message.parts[end] <= JOINED
        and (
            tokens[end] in words("things") or tokens[end] in words("not_lengths_after") or tokens[end] in words("rows")
        )
    ):
        return False
    near = tokens[max(0, number.start - BUYING_BEFORE) : number.start]
    return any(word in words("to_buy") for word in near)


def currency_of(message: Message, number: Number, currencies: Mapping[str, str]) -> str | None:
    tokens, gaps, start, end = message.tokens, message.gaps, number.start, number.end
    mark = gaps[start].rstrip()[-1:] or " "
    if mark == "-" and start and tokens[start - 1][0].isdigit():
        mark = gaps[start - 1].strip()[-1:] or " "  # the second of "$600-700"
    if mark in CURRENCY_MARKS:
        return CURRENCY_MARKS[mark]
    mark = gaps[end].lstrip()[:1] or " "
    if mark in CURRENCY_MARKS:
        return CURRENCY_MARKS[mark]
    if end < len(tokens) and message.parts[end] <= JOINED and tokens[end] in currencies:
        return currencies[tokens[end]]
    if start and message.parts[start] <= JOINED and tokens[start - 1] not in NOT_BEFORE:
        return currencies.get(tokens[start - 1])
    return None


def is_per_hour(message: Message, number: Number, grammar: Grammar) -> bool:
    """ "0.74/h", "$2 per hour", "2 USD/hr"."""
    following = message.tokens[number.end : number.end + 3]
    hours = grammar.lists["per_hour"]
    if hours.keys().isdisjoint(following):
        return _is_per_card_and_hour(message, number, hours)
    gaps = message.gaps[number.end : number.end + 3]
    per = following[0] in words("per")
    return any(word in hours and (per or "/" in gap) for word, gap in zip(following, gaps, strict=False))


def _is_per_card_and_hour(message: Message, number: Number, hours: Mapping[str, str]) -> bool:
    """ "1,29 $ pro A100 und Stunde", "$2 per GPU per hour"."""
    at = number.end
    if message.token(at) not in words("per"):
        return False
    for place in range(at + 1, min(len(message.tokens) - 1, at + PER_REACH)):
        if message.parts[place] >= COMMA:
            return False
        joined = message.tokens[place] in words("joins") or message.tokens[place] in words("per")
        if joined and message.tokens[place + 1] in hours:
            return True
    return False

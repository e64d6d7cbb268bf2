"""Numbers as people write them: 4k, 1.5M, 285.000, 1,15, 10^9, 24g, 70b, 1.2T."""

from dataclasses import dataclass
from itertools import compress, count

from bot.parser.text import GLUED, Message
from bot.parser.words import words

PLAIN, SIZE, MEMORY, SCIENTIFIC = "", "b", "gb", "e"

GLUED_UNITS = {
    "k": ("k", 1.0), "к": ("k", 1.0), "m": ("m", 1.0), "b": (SIZE, 1.0), "g": (MEMORY, 1.0), "t": (MEMORY, 1000.0),
}  # fmt: skip
UNITS = {
    **dict.fromkeys(
        ("gb", "gib", "gbs", "gigs", "gig", "gigabyte", "gigabytes", "go", "гб", "gbyte", "гиг", "gi"), (MEMORY, 1.0)
    ),
    **dict.fromkeys(("tb", "tib", "terabyte", "terabytes", "тб"), (MEMORY, 1000.0)),
    **dict.fromkeys(("mb", "mib", "megabyte", "megabytes"), ("mb", 1.0)),
    **dict.fromkeys(("bn", "billion", "billions", "milliarden", "mrd", "миллиардов", "млрд"), (SIZE, 1.0)),
    **dict.fromkeys(("thousand", "tsd", "tausend", "grand", "mille", "тыс", "千"), ("thousand", 1.0)),
    **dict.fromkeys(("million", "millions", "mio", "millionen", "mil", "млн"), ("m", 1.0)),
    **dict.fromkeys(("万", "萬"), ("wan", 1.0)),
    **dict.fromkeys(("billionen", "trillion"), ("t", 1.0)),
}
SPACED_LETTERS = frozenset("bgk")
"""Single letters that are a unit after a blank too: "13 B", "24 G"."""
GLUED_TO = UNITS | GLUED_UNITS
AFTER_BLANK = UNITS | {letter: GLUED_UNITS[letter] for letter in SPACED_LETTERS}
BLANKS = frozenset({" ", "-", "  "})
"""What may stand between a number and its unit."""
CURRENCY_MARKS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "₹": "INR", "₽": "RUB"}
LARGEST = 1e15
MOST_NUMBERS = 250
"""Numbers of a message that are read: nobody who asks a question writes more."""
THINGS = {"k": 1e3, "thousand": 1e3, "m": 1e6, "wan": 1e4, SIZE: 1e9, "t": 1e12}
TOKENS = {"k": 1024, "thousand": 1000, "m": 1024 * 1024, "wan": 10_000}
"""What units multiply a count of things, and a number of tokens, by."""


@dataclass(slots=True, unsafe_hash=True)
class Number:
    """A number at tokens[start:end] and its unit: "" none, k, m, thousand, b (billions), gb, mb, e (1e-4).

    Never changed. No tuple, because its parts are read far more often than one is made.
    """

    start: int
    end: int
    value: float
    unit: str

    @property
    def things(self) -> float:
        """As a count of things: 4k is 4000."""
        return self.value * THINGS.get(self.unit, 1.0)

    @property
    def length(self) -> int:
        """As a number of tokens: 4k is 4096, 1M is 1,048,576, 1.5k is 1536."""
        return round(self.value * TOKENS.get(self.unit, 1))


def plain(token: str, german: bool) -> float | None:
    """The value of a token that starts with a digit; None for a list such as "0,1,2"."""
    try:
        if token.isdigit():
            return float(token) if len(token) <= 18 else LARGEST
        commas, points = token.count(","), token.count(".")
        if commas and points:
            last = max(token.rfind(","), token.rfind("."))
            return float(token[:last].replace(",", "").replace(".", "") + "." + token[last + 1 :])
        mark = "," if commas else "."
        groups = token.split(mark)
        thousands = all(len(group) == 3 for group in groups[1:]) and groups[0] != "0" and len(groups[0]) <= 3
        if thousands and (mark == "," or german or points > 1):
            return float("".join(groups))
        if len(groups) == 2:
            return float(".".join(groups))
    except ValueError:
        return None
    return None


def read_number(message: Message, at: int, german: bool = False) -> Number | None:
    """The number that starts at a token, with its unit."""
    tokens, gaps = message.tokens, message.gaps
    value = plain(tokens[at], german) if message.figures[at] else None
    if value is not None and gaps[at][-1:] == "." and _is_fraction(message, at):
        value = float(f"0.{tokens[at]}")
    if value is None or value > LARGEST:
        return None
    following = at + 1
    if following == len(tokens):
        return Number(at, following, value, PLAIN)
    unit, gap, found = tokens[following], gaps[following], None
    if not gap:
        if unit[0] == "e" and (len(unit) == 1 or unit[1:].isdigit()):
            return _scientific(message, at, value)
        found = GLUED_TO.get(unit)
    elif gap in BLANKS:
        found = AFTER_BLANK.get(unit)
        after = following + 1
        if found is not None and after < len(tokens) and message.figures[after] and message.parts[after] == GLUED:
            found = None  # "mbs4 gbs128"
    elif gap == "^" and unit[0].isdigit():
        power = plain(unit, german) or 0
        return _with_unit(message, following + 1, at, value ** min(power, 15) if value < 1e4 else LARGEST)
    if found is None:
        return Number(at, following, value, PLAIN)
    if unit == "mil" and following + 1 < len(tokens) and tokens[following + 1] in words("after_thousand"):
        found = UNITS["thousand"]  # "10 mil exemplos"
    return Number(at, following + 1, value * found[1], found[0])


def _is_fraction(message: Message, at: int) -> bool:
    """The 5 of ".5B"."""
    gap = message.gaps[at]
    if gap[-1:] != "." or not message.tokens[at].isdigit():
        return False
    return (gap[-2:-1] or " ") in " (~" and (at == 0 or len(gap) > 1)


def _with_unit(message: Message, at: int, start: int, value: float) -> Number:
    tokens = message.tokens
    if value > LARGEST:
        value = LARGEST
    if at < len(tokens):
        found = None
        if message.parts[at] == GLUED:
            found = GLUED_TO.get(tokens[at])
        elif message.gaps[at] in BLANKS:
            found = AFTER_BLANK.get(tokens[at])
        if found is not None:
            return Number(start, at + 1, value * found[1], found[0])
    return Number(start, at, value, PLAIN)


def _scientific(message: Message, at: int, value: float) -> Number:
    """2e5 as a count; 1e-4 as a learning rate, which is nobody's length."""
    exponent = message.tokens[at + 1][1:]
    if exponent:
        return Number(at, at + 2, value * 10.0 ** min(int(exponent), 15), PLAIN)
    if at + 2 < len(message.tokens) and message.gaps[at + 2] == "-" and message.tokens[at + 2][0].isdigit():
        return Number(at, at + 3, value, SCIENTIFIC)
    return Number(at, at + 1, value, PLAIN)


def numbers_of(message: Message, german: bool) -> dict[int, Number]:
    """The numbers of a message by their first tokens, up to MOST_NUMBERS of them."""
    found: dict[int, Number] = {}
    until = 0
    for at in compress(count(), message.figures):
        if at >= until:
            number = read_number(message, at, german)
            if number is not None:
                found[at] = number
                until = number.end
                if len(found) >= MOST_NUMBERS:
                    break
    return found

"""How much of a model a run trains, as PEFT and Unsloth print it or people tell it: "trainable%: 26.9"."""

import re
from functools import cache

from bot.parser.slots import Slots
from bot.parser.words import pattern_of, words

COUNT = re.compile(r"trainable param(?:eter)?s?\s?[:=]\s?([\d,.]{1,19})\s?([MB]?)\b", re.IGNORECASE)
OF_ALL = re.compile(
    r"all params:\s?([\d,.]{1,19})\s?([MB]?)\b|of ([\d,]{4,19})() \([\d.]{1,6}% trained\)", re.IGNORECASE
)
UNITS = {"": 1, "m": 1_000_000, "b": 1_000_000_000}
ODD = 0.04
"""Share of a model from which on more than adapters is trained: rank 64 on every layer of an 8B is 2 %."""
ALL = 0.9
"""Share from which on every weight is trained."""
BILLION = 1_000_000_000


def state_trained(slots: Slots, text: str) -> None:
    """Fills trainable_params where more is trained than adapters are, and the method where all is."""
    if not any(map(text.lower().__contains__, _trained())):
        return
    count, share = _count(text), _share(text)
    if not slots.values.get("params_b") and count and (whole := _all(text) or 0) > count:
        slots.assume("params_b", round((whole - count) / BILLION, 2))  # PEFT counts what it trains beside the model
    params = float(slots.values.get("params_b") or 0) * BILLION
    if share is None and count and params:
        share = count / (_all(text) or params)
    if share is None or not ODD <= share <= 1:  # more than all is a misreading
        return
    if share >= ALL and not slots.states("method"):
        slots.state("method", "full")
    elif share >= ALL and params:
        slots.state("trainable_params", int(params))
    elif share < ALL and (count or params):  # PEFT counts what is trained beside the model's own
        slots.state("trainable_params", int(count or params * share / (1 - share)))


def _count(text: str) -> int | None:
    found = COUNT.search(text)
    return _number(found[1], found[2]) if found else None


def _number(digits: str, letter: str) -> int | None:
    """A count as it is printed: "67,108,864", "68M", "8.3B"."""
    unit = UNITS[letter.lower()]
    number = digits.strip(".,").replace(",", "") if unit == 1 else digits.replace(",", ".")
    try:
        return int(float(number.replace(".", "") if unit == 1 else number) * unit) or None
    except ValueError:
        return None


def _all(text: str) -> int | None:
    found = OF_ALL.search(text)
    return _number(found[1] or found[3], found[2] or "") if found else None


@cache
def _trained() -> frozenset[str]:
    """Words without which nothing is told."""
    return words("trainable_words") | words("being_trained")


@cache
def _share_told() -> re.Pattern[str]:
    """A share behind "trainable share", or so many per cent before or behind a word for what is trained."""
    able, trained = pattern_of("trainable_words"), pattern_of("trainable_words", "being_trained")
    percent, share, small = map(pattern_of, ("percent_words", "share_words", "share_is"))
    figures = r"([\d.,]{1,8})"
    return re.compile(
        rf"{able}\s?{share}\s?[:=]?\s?(?:{small} )?{figures}"
        rf"|{figures}\s?{percent}(?: \w+){{0,5}}? {trained}\b"
        rf"|{able}(?: \w+){{0,4}}? {figures}\s?{percent}",
        re.IGNORECASE,
    )


def _share(text: str) -> float | None:
    """The share that is told, of 1."""
    found = _share_told().search(text)
    if found is None:
        return None
    try:
        share = float((found[1] or found[2] or found[3]).strip(".,").replace(",", ".")) / 100
    except ValueError:
        return None
    return share if 0 < share <= 1 else None

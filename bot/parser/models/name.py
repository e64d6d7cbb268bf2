"""One model name read piece by piece: words, version, size, active size, experts, date, quantisation."""

from dataclasses import dataclass, field

from bot.parser.numbers import plain
from bot.parser.words import words

LONGEST_NAME = 14
"""Tokens of the longest name."""
JOINING = frozenset({"", " ", "-", "_", ".", "/", " (", "(", " - ", "  ", "--"})
"""Gaps that may stand inside a name."""
UNITS_OF_OTHERS = frozenset({"gb", "g", "gib", "k", "x", "gpu", "gpus", "cards", "s"})
"""A number before these is no version: "llama 2 gpus"."""
FIRST_DATE, LAST_DATE = 2301, 2712
"""Four digits in a name that are a year and month: 2507."""
HIGHEST_VERSION = 20
FLOATS = ("16", "32")
"""The digits of bf16 and fp32, which are no version."""


@dataclass(slots=True)
class Name:
    """What a model name says. Sizes in billions of parameters; `end` is the token after it."""

    words: set[str] = field(default_factory=set)
    version: str | None = None
    size: float | None = None
    active: float | None = None
    experts: float | None = None
    effective: bool = False
    """E2B: the size that it behaves like, not the one that is stored."""
    bits: int | None = None
    date: str | None = None
    end: int = 0


def read_name(
    tokens: list[str],
    gaps: list[str],
    at: int,
    plain_words: frozenset[str],
    known: frozenset[str],
    whole: bool = False,
) -> Name:
    """Reads a name from a token on. `plain_words` say nothing about the shape, `known` words belong to names.

    `whole`: every word belongs to it, whatever it is.
    """
    name = Name()
    place, last = at, min(len(tokens), at + LONGEST_NAME)
    while place < last and (place == at or whole or gaps[place] in JOINING):
        token = tokens[place]
        taken = _figure(name, tokens, gaps, place) if token[0].isdigit() else _mark(name, tokens, gaps, place)
        if taken:
            place += taken
        elif token in plain_words:
            place += 1
        elif not token[0].isdigit() and (whole or place == at or (token in known and not _apart(token, gaps[place]))):
            name.words.add(token)
            place += 1
        else:
            break
    name.end = place
    return name


def _apart(token: str, gap: str) -> bool:
    """Words that belong to a name only where they are joined to it: "OLMo-2-13B-SFT", not "OLMo 2 13B sft r=8"."""
    return gap == " " and (len(token) == 1 or token in words("only_joined"))


def _mark(name: Name, tokens: list[str], gaps: list[str], place: int) -> int:
    """ "A22B", "E2B", "v0.1", "Int4", "AWQ": how many tokens it took."""
    word = tokens[place]
    following = tokens[place + 1] if place + 1 < len(tokens) else ""
    numbered = len(word) > 1 and word[1].isdigit()
    if numbered and word[0] in "ae" and following in ("b", "m") and gaps[place + 1] in ("", " "):
        value = (plain(word[1:], False) or 0.0) / (1000 if following == "m" else 1) or None
        if word[0] == "a":
            name.active = value
        else:
            name.size, name.effective = value, value is not None
        return 2
    if numbered and word[0] == "v" and (plain(word[1:], False) or HIGHEST_VERSION) < HIGHEST_VERSION:
        name.version = name.version or word
        return 1
    if word in ("int", "nf", "q") and following[:1].isdigit():
        name.bits = {"4": 4, "8": 8}.get(following, name.bits)
        return 2
    if word in ("bf", "fp") and following in FLOATS:
        return 2
    if word == "awq":
        name.bits = name.bits or 4
        return 1
    return 0


def _figure(name: Name, tokens: list[str], gaps: list[str], place: int) -> int:
    """A size, experts times size, bits, a date or a version: how many tokens it took."""
    token = tokens[place]
    following = tokens[place + 1] if place + 1 < len(tokens) else ""
    gap = gaps[place + 1] if following else "?"
    value = plain(token, False)
    if not value:
        return 0
    taken = _experts(name, tokens, place, value) if following == "x" and gap in ("", " ") else 0
    if taken:
        return taken
    if following in ("b", "m") and (gap == "" or (following == "b" and gap in (" ", "-"))):
        if name.size is not None:
            return 0
        name.size = value if following == "b" else value / 1000
        return 2
    if len(following) == 2 and following[0] == "b" and following[1].isdigit() and gap == "":
        name.size = value + int(following[1]) / 10  # bloom-7b1
        return 2
    if following in ("bit", "bits") and value in (4, 8):
        name.bits = int(value)
        return 2
    if len(token) == 4 and token.isdigit() and (FIRST_DATE <= value <= LAST_DATE or 1 <= int(token[:2]) <= 12):
        name.date = token
        return 1
    late = name.size is not None and gaps[place] == " " and "." not in token  # "33b-instruct 8*A800"
    if (
        name.version is None
        and not late
        and value < HIGHEST_VERSION
        and name.words
        and not (following in UNITS_OF_OTHERS and gap in ("", " "))
    ):
        name.version = token
        return 1
    return 0


def _experts(name: Name, tokens: list[str], place: int, value: float) -> int:
    """ "8x7B"."""
    if name.size is not None or place + 3 >= len(tokens) or tokens[place + 3] != "b":
        return 0
    each = plain(tokens[place + 2], False) if tokens[place + 2][0].isdigit() else None
    if not each:
        return 0
    name.experts, name.size = value, each
    return 4

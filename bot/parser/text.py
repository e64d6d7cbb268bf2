"""From what was typed to tokens: one form for all spellings of a character, a stated length, one pass."""

import re
import unicodedata
from dataclasses import dataclass
from operator import itemgetter

from bot.parser.words import lists_of, sequences, words
from knowledge.names import split

MAX_LENGTH = 6_000
"""Characters of a message that are read: longer than any chat message. Pastes are read apart, by bot.parser.pasted."""

MOST_GROWTH = 200
"""Characters that a text may grow by when one becomes many, as ½ becomes 1/2."""

_ONE_FORM = {
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"), "-"),
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u0060\u00b4\u02bc"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u00ab\u00bb"), '"'),
    ord("\u00d7"): "x",
    ord("\u2715"): "x",
    ord("\u2a09"): "x",
    ord("\u2044"): "/",
    ord("\u2264"): "<",
    ord("\u2265"): ">",
    ord("\u2248"): "~",
    # what cannot be seen: zero-width characters, direction marks, soft hyphen
    **dict.fromkeys((0x00AD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF, *range(0x202A, 0x202F)), None),
    # digits of no decimal system, such as the bullets ❶ ➋ ⓷: numbers to str.isdigit, none to int
    **dict.fromkeys((*range(0x1369, 0x1372), 0x19DA, *range(0x24F5, 0x2500), *range(0x2776, 0x2794)), " "),
    **dict.fromkeys((*range(0x10A40, 0x10A44), *range(0x10E60, 0x10E69), *range(0x11052, 0x1105B)), " "),
}
_REPLACED = {chr(code): form or "" for code, form in _ONE_FORM.items()}
_CHANGED = re.compile("[" + re.escape("".join(_REPLACED)) + "]")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SUPERSCRIPT_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

_RATE = re.compile(r"i(?<!\w.)t(?:s|er)?/s(?:ec)?\b|s(?<![a-z].)(?:ec)?/it(?:er)?\b")

_RATES = ("it/s", "its/s", "iter/s", "s/it", "sec/it")
"""Each match of the pattern holds one of these."""
FIRST_LETTER = itemgetter(0)
GLUED, JOINED, BRACKET, COMMA, STOP = range(5)
"""How much a gap between two tokens parts them."""


def cut(text: str, length: int = MAX_LENGTH) -> str:
    """The first `length` characters, ending after a whole word where there is one."""
    if len(text) <= length:
        return text
    head = text[:length]
    if text[length].isspace():
        return head
    end = max(head.rfind(" "), head.rfind("\n"), head.rfind("\t"))
    return head[:end] if end > 0 else head


_PRODUCT = re.compile(r"(?<=\d) ?\* ?(?=\d)")
"""The star of "2*3090" and "8 * 40"."""


def normalise(text: str) -> str:
    """Lower case, one form for each character: full-width digits, blanks, dashes, quotes; 10⁹ becomes 10^9."""
    text = cut(text)
    if not text.isascii():
        text = _SUPERSCRIPT_RUN.sub(lambda run: "^" + run.group().translate(_SUPERSCRIPTS), text)
        most = min(MAX_LENGTH, len(text) + MOST_GROWTH)
        text = unicodedata.normalize("NFKC", text)  # one letter may become many
        text = cut(_CHANGED.sub(lambda found: _REPLACED[found[0]], text), most)
    text = text.lower() if text.isprintable() else _CONTROL.sub(" ", text).lower()
    if "(!" in text:
        text = text.replace("(!) ", "").replace("(!!) ", "")  # "128 (!) H20"
    if "*" in text:
        text = _PRODUCT.sub("x", text)
    if ("/s" in text or "/it" in text) and any(rate in text for rate in _RATES):
        text = _RATE.sub(_rate, text)
    return text


def _rate(found: re.Match[str]) -> str:
    """it/s and s/it: spelled out, because "it's" has the same letters."""
    first, _, _ = found[0].partition("/")
    return "iterations/s" if first[0] == "i" else f"{first}/iteration"


def _parting(gap: str) -> int:
    """How much a gap parts: a sentence mark or line break more than a comma, a comma more than a bracket."""
    if not gap:
        return GLUED
    if len(gap) == 1:
        return _ONE.get(gap, JOINED)
    strongest = max(_ONE.get(mark, JOINED) for mark in gap[:40])
    if strongest < STOP and "." in gap[:40]:
        return STOP if gap[0] == "." or SENTENCE_END in gap else JOINED
    return strongest


_ONE = {
    **dict.fromkeys('()[]{}<>|"', BRACKET),
    **dict.fromkeys(",\u3001\u2026", COMMA),
    **dict.fromkeys(";!?\n\r\u3002", STOP),
}
SENTENCE_END = ". "
ARROWS = ("->", "=>", "-->", "\u2192", ">>", "\u21d2")
"""Between two values: the first became the second."""
MOST_KEPT, LONGEST_KEPT = 4096, 3


class _Partings(dict[str, int]):
    """Gap → `_parting`, remembered for short gaps."""

    def __missing__(self, gap: str) -> int:
        strength = _parting(gap)
        if len(gap) <= LONGEST_KEPT and len(self) < MOST_KEPT:
            self[gap] = strength
        return strength


PARTINGS = _Partings({" --": COMMA})
"""The next argument of a command stands apart."""


def _after_short_words(tokens: list[str], gaps: list[str], parts: list[int]) -> None:
    """ "1,2 Mio. Zeilen", "ca. 5k": a full stop that ends no sentence."""
    short, at = words("short_for"), 0
    for _ in range(gaps.count(SENTENCE_END)):
        at = gaps.index(SENTENCE_END, at) + 1
        if at > 1 and tokens[at - 2] in short:
            parts[at - 1] = JOINED


@dataclass(slots=True)
class Message:
    """A normalised message as tokens. `gaps[i]` stands before token i, `parts[i]` says how much it parts."""

    text: str
    tokens: list[str]
    gaps: list[str]
    parts: list[int]
    figures: list[bool]
    """Whether a token begins with a digit."""
    taken: list[bool]
    """Tokens that a name or a phrase has used up."""
    said: set[str]
    """Names of the lists of which an entry may stand here: a glance at them saves reading for what is not there."""

    @classmethod
    def of(cls, text: str) -> "Message":
        """Reads a text as typed."""
        text = normalise(text)
        tokens, gaps = split(text)
        parts, figures = [*map(PARTINGS.__getitem__, gaps)], [*map(str.isdigit, map(FIRST_LETTER, tokens))]
        if SENTENCE_END in gaps:
            _after_short_words(tokens, gaps, parts)
        return cls(text, tokens, gaps, parts, figures, [False] * len(tokens), lists_of(tokens))

    def respell(self, place: int, token: str) -> None:
        """Writes out what a token is short for."""
        self.tokens[place] = token
        self.said = lists_of(self.tokens)

    def turned_into(self, at: int) -> bool:
        """Whether an arrow stands before a token: "28 -> 32"."""
        return self.gaps[at].strip() in ARROWS

    def token(self, at: int) -> str:
        """The token at a place, "" outside of the message."""
        return self.tokens[at] if 0 <= at < len(self.tokens) else ""

    def ends_with(self, name: str, place: int) -> bool:
        """Whether an entry of a list ends right before a place."""
        if name not in self.said or place <= 0:
            return False
        tokens = self.tokens
        entries = sequences(name).get(tokens[place - 1], ())
        return any(tokens[max(0, place - len(entry)) : place] == entry for entry in entries)

    def take(self, start: int, end: int) -> None:
        """Marks tokens as used."""
        for place in range(start, end):
            self.taken[place] = True

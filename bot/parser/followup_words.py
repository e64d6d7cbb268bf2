"""What the short messages of a conversation say, as codes: knowledge/lang/<language>/followup.yaml, code → phrases.

The phrases of all spoken languages are read at once: nobody switches language politely.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

from knowledge.compiled import PACKAGE, load_yaml_tree
from knowledge.language import LANGUAGES

WORDS = re.compile(r"[^\W_]+")
MEMORY = re.compile(r"([1-9]\d{0,2})(?:gb|g|gig|gigs)")
MOST_WORDS = 60
"""Words of a message that are looked at: a follow-up is short."""
SHORT = 5
"""Up to so many words without a sentence of their own lean on what came before."""

Phrases = Mapping[tuple[str, ...], frozenset[str]]


def memory_in(words: tuple[str, ...]) -> int | None:
    """The one amount of memory in a short message, "what if I only have 16GB?": a card's, where cards are talked of."""
    found = [MEMORY.fullmatch(word) for word in words]
    found += [MEMORY.fullmatch(word + unit) for word, unit in pairwise(words)]
    sizes = {int(match[1]) for match in found if match}
    return sizes.pop() if len(sizes) == 1 and len(words) <= 2 * SHORT else None


def is_thanks(text: str) -> bool:
    """Whether every word is thanks, praise or goes with it."""
    words = words_of(text)
    if not words:
        return False
    at, thanked = 0, False
    while at < len(words):
        found = longest(words, at, {"thanks", "filler"})
        if found is None:
            return False
        length, codes = found
        thanked = thanked or "thanks" in codes
        at += length
    return thanked


def codes_in(words: tuple[str, ...]) -> dict[str, int]:
    """The codes whose phrases stand in the message, with their number where they have one.

    A phrase that leans on the sentence before does so only at the start, or as a word that can only mean that.
    """
    said: dict[str, int] = {}
    for at in range(len(words)):
        for length, codes, number in matches(words, at):
            for code in codes:
                if code == "refers" and at > 0 and not (at + length == len(words) or (length > 1 and at < 2)):
                    continue
                said.setdefault(code, number)
    return said


def matches(words: tuple[str, ...], at: int) -> Iterator[tuple[int, frozenset[str], int]]:
    """(length, codes, number) of every phrase that starts at this word."""
    phrases, deepest, numbers = grammar()
    states: list[tuple[tuple[str, ...], int]] = [((), 0)]
    for word in words[at : at + deepest]:
        counted = numbers.get(word) or (int(word) if word.isascii() and word.isdigit() and len(word) < 5 else 0)
        following = [((*plain, word), number) for plain, number in states]
        if counted:  # a number may stand for itself, or for the {n} of a phrase
            following += [((*plain, "{n}"), counted) for plain, number in states if not number]
        states = [state for state in following if state[0] in prefixes()]
        if not states:
            return
        for plain, number in states:
            if plain in phrases:
                yield len(plain), phrases[plain], number


def longest(words: tuple[str, ...], at: int, among: set[str]) -> tuple[int, frozenset[str]] | None:
    """The longest phrase at this word with one of these codes."""
    found = [(length, codes) for length, codes, _ in matches(words, at) if codes & among]
    return max(found, key=lambda entry: entry[0], default=None)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a message in small letters; apostrophes part words, as in the phrases."""
    return tuple(match[0] for match, _ in zip(WORDS.finditer(text.lower()), range(MOST_WORDS), strict=False))


@cache
def grammar() -> tuple[Phrases, int, Mapping[str, int]]:
    """(phrases → codes, words of the longest, number words) of all spoken languages."""
    phrases: dict[tuple[str, ...], frozenset[str]] = {}
    numbers: dict[str, int] = {}
    for language in LANGUAGES:
        table = dict(load_yaml_tree(PACKAGE / "lang" / language, "followup.yaml", texts=True)["followup.yaml"])
        numbers |= {word: int(number) for word, number in table.pop("number_words").items()}
        for code, entries in table.items():
            for phrase in entries:
                key = tuple(_pieces(phrase))
                phrases[key] = phrases.get(key, frozenset()) | {code}
    return phrases, max(map(len, phrases)), numbers


@cache
def prefixes() -> frozenset[tuple[str, ...]]:
    """Every beginning of a phrase."""
    return frozenset(key[:length] for key in grammar()[0] for length in range(1, len(key) + 1))


def _pieces(phrase: str) -> Iterator[str]:
    for part in phrase.split():
        if part == "{n}":
            yield part
        else:
            yield from words_of(part)

"""The short lists of phrases.yaml (`lists`), all languages together: words, and phrases of a few words."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain

from knowledge.language import LANGUAGES
from knowledge.names import split


def lists_of(tokens: Iterable[str]) -> set[str]:
    """The names of all lists of which an entry begins with a token: what others hold need not be looked for."""
    return {*chain.from_iterable(filter(None, map(_lists_by_word().get, tokens)))}


@cache
def _lists_by_word() -> Mapping[str, tuple[str, ...]]:
    from bot.parser.grammar import grammar_of  # as below

    found: dict[str, tuple[str, ...]] = {}
    for name in {name for code in LANGUAGES for name in grammar_of(code).lists}:
        for word in words(name):
            for first in (word,) if word.isascii() and word.isalpha() else split(word)[0][:1]:
                found[first] = (*found.get(first, ()), name)
    same = {names: names for names in found.values()}
    return {first: same[names] for first, names in found.items()}


@cache
def spelled() -> frozenset[str]:
    """Every word of the lists and phrases of all languages: none of them is another word mistyped."""
    from bot.parser.grammar import grammar_of  # as below

    found = set(_lists_by_word())
    places = [grammar_of(code).root for code in LANGUAGES]
    seen = set(map(id, places))
    while places:
        below = places.pop().below
        found.update(below)
        new = [place for place in below.values() if id(place) not in seen]
        seen.update(map(id, new))
        places += new
    return frozenset(found)


@cache
def words(name: str) -> frozenset[str]:
    """The words of a list. Raises KeyError for a list that no language has."""
    from bot.parser.grammar import grammar_of  # which reads messages, and these need words

    found = [lists[name] for code in LANGUAGES if name in (lists := grammar_of(code).lists)]
    if not found:
        raise KeyError(name)
    return frozenset[str]().union(*found)


def pattern_of(*names: str) -> str:
    """A pattern of any word of some lists, the longest first."""
    entries = frozenset[str]().union(*map(words, names))
    return "(?:" + "|".join(map(re.escape, sorted(entries, key=lambda word: (-len(word), word)))) + ")"


@cache
def sequences(name: str) -> Mapping[str, list[list[str]]]:
    """The entries of a list as tokens, by the last one, for those of more than one: "had to sell", "内存"."""
    found: dict[str, list[list[str]]] = {}
    for entry in sorted(words(name)):
        tokens = split(entry)[0]
        if tokens:
            found.setdefault(tokens[-1], []).append(tokens)
    return found

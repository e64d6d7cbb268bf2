"""The short lists of phrases.yaml (`lists`), all languages together: words, and phrases of a few words."""

from functools import cache

from knowledge.language import LANGUAGES
from knowledge.names import split


@cache
def words(name: str) -> frozenset[str]:
    """The words of a list. Raises KeyError for a list that no language has."""
    from bot.parser.grammar import grammar_of  # which reads messages, and these need words

    found = [lists[name] for code in LANGUAGES if name in (lists := grammar_of(code).lists)]
    if not found:
        raise KeyError(name)
    return frozenset[str]().union(*found)


@cache
def sequences(name: str) -> tuple[tuple[str, ...], ...]:
    """The entries of a list as tokens, for those of more than one: "had to sell", "内存"."""
    return tuple(tuple(split(entry)[0]) for entry in sorted(words(name)))


@cache
def first_words(name: str) -> frozenset[str]:
    """The words that the entries of a list begin with."""
    return frozenset(tokens[0] for tokens in sequences(name))

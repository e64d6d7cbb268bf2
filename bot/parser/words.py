"""The short word lists of phrases.yaml (`lists`), all languages together."""

from functools import cache

from knowledge.language import LANGUAGES


@cache
def words(name: str) -> frozenset[str]:
    """The words of a list. Raises KeyError for a list that no language has."""
    from bot.parser.grammar import grammar_of  # which reads messages, and these need words

    found = [lists[name] for code in LANGUAGES if name in (lists := grammar_of(code).lists)]
    if not found:
        raise KeyError(name)
    return frozenset[str]().union(*found)

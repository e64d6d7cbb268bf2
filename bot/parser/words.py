"""The short word lists of phrases.yaml (`lists`), all languages together."""

from functools import cache

from knowledge.language import LANGUAGES, load_language, shared_phrases


@cache
def words(name: str) -> frozenset[str]:
    """The words of a list. Raises KeyError for a list that no language has."""
    tables = [shared_phrases(), *(load_language(code).phrases for code in LANGUAGES)]
    found = [table["lists"][name] for table in tables if name in table.get("lists", {})]
    if not found:
        raise KeyError(name)
    return frozenset(str(word).lower() for entries in found for word in entries)

"""Which language a message is in, by its small words. "other" means neither of those that are spoken here."""

import re
from functools import cache
from itertools import chain
from pathlib import Path

from bot.parser.text import FIRST_LETTER, Message
from knowledge.kept import kept
from knowledge.language import LANGUAGES, load_language, shared_phrases

GERMAN = "de"
OTHER = "other"
LAST_LATIN = "\u02ff"
MOST_WORDS = 400
WORDS_OF_THE_ERROR = 2
"""English words of "out of memory" that are small words."""
_ERROR_LINE = re.compile(r"(?:error|exception|warning|failed): [^,;\n?]*|expected all [^,;\n?]*")
"""What a program says, in whatever language one asks: "RuntimeError: Expected all tensors to be on …"."""
UMLAUTS = frozenset("äöüß")


@cache
def _small_words() -> dict[str, list[str]]:
    """Small word → the languages that have it."""
    found: dict[str, list[str]] = kept("small-words", _read_small_words, by=Path(__file__).parent)
    return found


def _read_small_words() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for code in (*LANGUAGES, OTHER):
        phrases = shared_phrases() if code == OTHER else load_language(code).phrases
        for word in phrases.get("language") or ():
            found.setdefault(str(word), []).append(code)
    return found


def _words_of_errors(text: str) -> int:
    """English small words of the error lines in a message."""
    lines = " ".join(line for line in _ERROR_LINE.findall(text) if "out of memory" not in line)
    return sum("en" in _small_words().get(word, ()) for word in lines.split())


def language_of_message(message: Message, hint: str | None = None) -> str:
    """ "en", "de" or "other". Without any small word: the hint's language where it is German, else English."""
    told = [*chain.from_iterable(filter(None, map(_small_words().get, message.tokens[:MOST_WORDS])))]
    english, german, other = told.count("en"), told.count(GERMAN), float(told.count(OTHER))
    if "memory" in message.text:  # what every program says, in whatever language one asks
        english = max(0, english - WORDS_OF_THE_ERROR * message.text.count("out of memory"))
    if german and english >= german:
        english = max(0, english - _words_of_errors(message.text))
    if not message.text.isascii():
        other += 1.5 * sum(map(LAST_LATIN.__lt__, map(FIRST_LETTER, message.tokens[:MOST_WORDS])))
        german += not UMLAUTS.isdisjoint(message.text)
    most = other if other > english else english
    most = german if german > most else most  # `max` is slow for three
    if most == 0:
        return GERMAN if (hint or "").lower().startswith("de") else "en"
    if english == most and german < english:
        return "en"
    return GERMAN if german == most else OTHER

"""Which language a message is in, by its small words. "other" means neither of those that are spoken here."""

from functools import cache

from bot.parser.text import Message
from knowledge.language import LANGUAGES, load_language, shared_phrases

GERMAN = "de"
OTHER = "other"
LAST_LATIN = "\u02ff"
MOST_WORDS = 400
UMLAUTS = frozenset("äöüß")


@cache
def _small_words() -> dict[str, tuple[str, ...]]:
    """Small word → the languages that have it."""
    found: dict[str, tuple[str, ...]] = {}
    for code in (*LANGUAGES, OTHER):
        phrases = shared_phrases() if code == OTHER else load_language(code).phrases
        for word in phrases.get("language") or ():
            found[str(word)] = (*found.get(str(word), ()), code)
    return found


def language_of_message(message: Message, hint: str | None = None) -> str:
    """ "en", "de" or "other". Without any small word: the hint's language where it is German, else English."""
    words = _small_words()
    counts = dict.fromkeys((*LANGUAGES, OTHER), 0.0)
    for codes in filter(None, map(words.get, message.tokens[:MOST_WORDS])):
        for code in codes:
            counts[code] += 1
    if not message.text.isascii():
        counts[OTHER] += 1.5 * sum(token[0] > LAST_LATIN for token in message.tokens[:MOST_WORDS])
        counts[GERMAN] += any(letter in message.text for letter in UMLAUTS)
    best = max(counts, key=counts.__getitem__)
    if counts[best] == 0:
        return GERMAN if (hint or "").lower().startswith("de") else "en"
    if counts["en"] == counts[best]:
        return "en" if counts[GERMAN] < counts["en"] else GERMAN
    return best

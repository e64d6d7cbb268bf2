"""Which language a message is in, by its small words. "other" means neither of those that are spoken here."""

from functools import cache

from bot.parser.text import Message
from knowledge.language import LANGUAGES, load_language, shared_phrases

German = "de"
OTHER = "other"
UMLAUTS = frozenset("äöüß")


@cache
def _small_words() -> dict[str, frozenset[str]]:
    words = {code: frozenset(map(str, load_language(code).phrases.get("language") or ())) for code in LANGUAGES}
    words[OTHER] = frozenset(map(str, shared_phrases().get("language") or ()))
    return words


def language_of_message(message: Message, hint: str | None = None) -> str:
    """"en", "de" or "other". Without any small word: the hint's language where it is German, else English."""
    words = _small_words()
    counts = dict.fromkeys(words, 0.0)
    other_script = 0
    for token in message.tokens[:400]:
        for code, known in words.items():
            if token in known:
                counts[code] += 1
        if token[0] > "\u02ff":
            other_script += 1
    if not message.text.isascii() and any(letter in message.text for letter in UMLAUTS):
        counts[German] += 1
    counts[OTHER] += other_script * 1.5
    best = max(counts, key=lambda code: counts[code])
    if counts[best] == 0:
        return German if (hint or "").lower().startswith("de") else "en"
    if counts["en"] == counts[best]:
        return "en" if counts[German] < counts["en"] else German
    return best

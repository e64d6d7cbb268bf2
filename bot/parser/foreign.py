"""Which of the languages that are read and not spoken a message is in."""

from functools import cache

from bot.parser.text import Message
from knowledge.language import tongues

HAN = ("\u4e00", "\u9fff")
KANA = ("\u3040", "\u30ff")
CYRILLIC = ("\u0400", "\u04ff")
NOT_RUSSIAN = frozenset("іїєґў")
"""Letters of Ukrainian and Belarusian."""
MOST = 400
"""Tokens that are looked at."""


def foreign(message: Message) -> str | None:
    """The code of the language with the most small words, or whose script it is; None where that is not clear."""
    script = _script(message)
    scores = {code: _score(code, message, script) for code in tongues()}
    best, second = sorted(scores.values(), reverse=True)[:2]
    return max(scores, key=scores.__getitem__) if best > second else None


def _score(code: str, message: Message, script: str | None) -> int:
    tongue = tongues()[code]
    if "script" in tongue:
        return MOST if tongue["script"] == script else 0
    return sum(map(_small_words(code).__contains__, message.tokens[:MOST]))


@cache
def _small_words(code: str) -> frozenset[str]:
    return frozenset(tongues()[code]["words"])


def _script(message: Message) -> str | None:
    """han or cyrillic, unless kana or letters that Russian lacks say that it is another language of that script."""
    if message.text.isascii():
        return None
    letters = "".join(message.tokens[:MOST])
    if any(CYRILLIC[0] <= letter <= CYRILLIC[1] for letter in letters):
        return None if NOT_RUSSIAN.intersection(letters) else "cyrillic"
    if any(HAN[0] <= letter <= HAN[1] for letter in letters):
        return None if any(KANA[0] <= letter <= KANA[1] for letter in letters) else "han"
    return None

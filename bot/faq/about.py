"""Whether a sentence of somebody's case is about a page, or its words only happen to stand in a long text.

"13b, full parameter SFT … is it doable?" is not "did I double the parameters": its words must stand in one sentence.
"""

import re
from functools import lru_cache
from itertools import pairwise

from bot.faq.entries import entries_of
from bot.faq.matching import CONTAINED, DIGITS, TOPIC, Index, index_of, is_figure
from bot.faq.nearest import NUMBER
from bot.faq.words import split

SENTENCE = re.compile(r"(?<=[.?!;])\s+|\n")
CLAUSE = re.compile(r"[,:]\s+")
SHORTEST = 13
"""Letters: "higher rank?" names no page."""
ONE_WORD, ONE_ASKED, NAMED, SEVERAL, CLEAR = 0.5, 0.33, 0.25, 0.33, 0.2
"""Share of a sentence, sizes and names of cards aside, that a phrase must explain: by one word that tells a topic, and
where the sentence asks; by one that the page is named after; by several, and by several that weigh CLEARLY.
"""
CLEARLY = 9.0
RARE = 5.0
"""Weight of a word that a page or two have."""


def is_about(text: str, page: str, language: str) -> bool:
    """Whether a sentence of a text that tells a case is about this page."""
    index = index_of(language)
    return any(
        _says_enough(index, said, page, _names(page, language))
        for said in SENTENCE.split(text)
        if len(said) >= SHORTEST or said == text
    )


def is_named(sentence: str, page: str, language: str, least: float = RARE) -> bool:
    """Whether a sentence names a page: by a rare word that it is named after, or by several words that tell a topic.

    `least`: the weight of that word.
    """
    index = index_of(language)
    words = index.read(sentence).words
    said = {word for place in index.shared(words, index.only(frozenset((page,)))) for word in index.phrases[place]}
    telling = {word for word in said & words if index.weight[word] >= TOPIC and len(word) > 1}
    rare = {word for word in telling if index.weight[word] >= least}
    return len(sentence) >= SHORTEST and (len(telling) > 1 or not rare.isdisjoint(_names(page, language)))


@lru_cache(maxsize=1024)
def _names(page: str, language: str) -> frozenset[str]:
    """The words that a page is named after."""
    return index_of(language).words.content(split(f"{page.replace('-', ' ')} {entries_of(language)[page].title}"))


def _says_enough(index: Index, sentence: str, page: str, names: frozenset[str]) -> bool:
    """Whether one of the page's phrases says enough of a sentence."""
    asked = index.read(sentence)
    one = ONE_ASKED if sentence.endswith("?") else ONE_WORD
    for words in dict.fromkeys((asked.literal, asked.words)):
        plain = sum([index.cost(word) for word in words if not is_figure(word)])
        for place, shared in index.shared(words, index.only(frozenset((page,)))).items():
            both = [word for word in index.phrases[place] if word in words]
            if len(both) == len(words):
                return True
            telling = [word for word in both if index.weight[word] >= TOPIC and len(word) > 1]
            if len(telling) < 2 and len(both) < len(index.phrases[place]):
                continue  # "train on completions" is not said by "a completion of 4096"
            least = one if names.isdisjoint(telling) else NAMED
            if len(telling) > 1:
                least = CLEAR if shared >= CLEARLY else SEVERAL
            told = sum([index.cost(word) for word in both if not is_figure(word)])
            named = sum([index.weight[word] for word in both if is_figure(word) and not _amount(word)])  # "bf16"
            enough = told + named >= least * (plain + named)
            contained = telling and shared >= CONTAINED * index.totals[place]
            if contained and enough and _together(index, sentence, frozenset(both)):
                return True
    return False


def _together(index: Index, sentence: str, words: frozenset[str]) -> bool:
    """Whether words stand in one clause of a sentence or in two that follow one another."""
    clauses = CLAUSE.split(sentence)
    pairs = pairwise(clauses) if len(clauses) > 1 else [(sentence, "")]
    for first, second in pairs:
        said = index.read(f"{first}, {second}")
        if words <= said.words or words <= said.literal:
            return True
    return False


def _amount(word: str) -> bool:
    """A size, a card's number, any number; "4bit" and "bf16" are words."""
    return word == NUMBER or (word[0] in DIGITS and not word.endswith("bit"))

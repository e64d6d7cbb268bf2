"""Which entry a text asks for: content words are compared with those of every `asks` phrase, rare words weigh more.

Two ways. *Surely*: phrase and text must say nearly the same; a size, a card or another topic's word in the text speaks
against it, so that "13b qlora" is not the question "what is QLoRA". *Known to be a definition* (the reader has found
the kind already): the phrase must be in the text, whatever else stands there. Plain questions: nearest.py.
"""

import math
import re
from array import array
from collections import defaultdict
from collections.abc import Set
from dataclasses import dataclass
from functools import lru_cache
from sys import intern

from bot.faq.entries import asks_of, entries_of
from bot.faq.nearest import NUMBER, Nearest
from bot.faq.words import Words, split, words_of

SURE = 0.72
CONTAINED = 0.74
LIKELY = 0.5
"""Share of what a text says that a phrase must explain, where nothing else shows that it is asked for."""
LEAST = min(SURE, CONTAINED) - 1e-6
"""Share of a phrase that a text must say at least."""
MAX_WORDS = 60
MAX_FUZZY = 8
"""Only texts of so few unknown words are searched for typos."""
TYPO_FROM = 4
"""Shorter words must be written right; a word of just this length may only have two letters swapped."""
OTHER_LETTER_FROM = 8
"""In shorter words no letter stands for another one: "doable" is not "double", "export" no "expert"."""
TWO_TYPOS_FROM = 10
LIGHT = 0.2
"""Weight of a word that every entry has; rare ones weigh up to about 4.5."""
TOPIC = 2.2
"""So much must be shared: the common words alone ("memory for training") name no topic."""
STRANGE = 1.8
"""Weight of a word that no entry knows: a name, an aside."""
SHORT_STRANGE = 1.0
"""The same for a word too short to be mended."""
ASIDE = 2.0
"""Most that a word of another topic weighs."""
FIGURE = 5.0
"""Weight of a number, size or card that the phrase does not have: then it is a question about a set-up."""
PLAIN = re.compile(r"\d{1,2}(?:\.\d+)?|\d+k|(?:1024|2048|4096|8192|16384|32768)|\d{1,3}00+")
"""Numbers that are no size and no card, read as NUMBER where two words more stand beside them."""
UNITS = frozenset({"gb", "gib", "mb", "tb"})
"""Beside one of these a number is a size."""
DIGITS = "0123456789"
SHORTEST_PART = 4
"""Letters of a word that is part of another."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A text's content words, and the words that it asks with."""

    words: frozenset[str]
    """Plain numbers are any number."""
    literal: frozenset[str]
    """The same with its numbers, where a phrase has one of them."""
    asking: frozenset[str]


@dataclass(frozen=True, slots=True)
class Match:
    """An entry and how well the text fits it, 0…1."""

    id: str
    score: float


class Index:
    """The phrases of all entries of a language, by word. A phrase is its place in `entries`, `phrases` and `askings`:
    the entry, the content words, and the words that it asks with.
    """

    def __init__(self, language: str) -> None:
        self.words: Words = words_of(language)
        phrases: dict[tuple[str, tuple[str, ...], frozenset[str]], None] = {}
        askings: dict[frozenset[str], frozenset[str]] = {}
        same: dict[str, str] = {}
        spelled = set(self.words.spelled)
        spread: defaultdict[str, set[str]] = defaultdict(set)
        pages, asks = entries_of(language), asks_of(language)
        for entry in pages.values():
            for said in (*asks[entry.id], entry.title):
                raw = [*map(intern, split(said))]
                spelled.update(raw)
                content = self.words.content(raw)
                numbered = _any_number(content)
                content = numbered if len(numbered) > 2 else content  # "rank 64 or 16" are those two
                asking = self.words.asked(raw)
                if content:
                    kept = tuple(same.setdefault(word, word) for word in sorted(content))
                    phrases[entry.id, kept, askings.setdefault(asking, asking)] = None
                for word in content:
                    spread[word].add(entry.id)
        self.entries = [entry for entry, _, _ in phrases]
        self.phrases = [content for _, content, _ in phrases]
        self.askings = [asking for _, _, asking in phrases]
        weights = [LIGHT + math.log((len(pages) + 1) / (had + 0.5)) for had in range(len(pages) + 1)]
        self.weight = {word: weights[len(ids)] for word, ids in spread.items()}
        self.totals = array("d", [sum(map(self.weight.__getitem__, phrase)) for phrase in self.phrases])
        where: defaultdict[str, list[int]] = defaultdict(list)
        for place, phrase in enumerate(self.phrases):
            for word in self._telling(phrase):
                where[word].append(place)
        self.where = {word: tuple(places) for word, places in where.items()}
        self.spelled = frozenset(spelled)
        self.vocabulary: defaultdict[str, list[str]] = defaultdict(list)
        for word in sorted(word for word in spelled if len(word) >= TYPO_FROM and not is_figure(word)):
            self.vocabulary[word[0]].append(word)
        self._nearest = lru_cache(maxsize=4096)(self._spelled_nearest)
        self.only = lru_cache(maxsize=64)(self._of_entries)
        self.nearest = Nearest(self)
        self.read = lru_cache(maxsize=8)(self._read)  # one answer may ask twice about its text

    def _telling(self, phrase: tuple[str, ...]) -> list[str]:
        """The rarest words of a phrase, so many that a text without any of them cannot say enough of it."""
        rest = sum(self.weight[word] for word in phrase)
        enough = LEAST * rest
        telling = []
        for word in sorted(phrase, key=lambda word: -self.weight[word]):
            if rest < enough:
                break
            telling.append(word)
            rest -= self.weight[word]
        return telling

    def _read(self, text: str) -> Asked:
        """What a text asks, typos mended."""
        words = split(text)[:MAX_WORDS]
        strange = set(words) - self.spelled
        unknown = {word for word in strange if len(word) >= TYPO_FROM and word.isalpha()}
        if 0 < len(unknown) <= MAX_FUZZY:
            words = " ".join([self._nearest(word) if word in unknown else word for word in words]).split()
        content = self.words.content(words)
        numbered = _any_number(content)
        known = numbered if numbered is content or self.weight.keys().isdisjoint(content - numbered) else content
        return Asked(numbered, known, self.words.asked(words))

    def _spelled_nearest(self, word: str) -> str:
        """The word that is meant when it is spelled nearly like a known one with the same first letter."""
        allowed = 1 if len(word) < TWO_TYPOS_FROM else 2
        alike = self.vocabulary.get(word[0], [])
        from rapidfuzz import process  # only for unknown words: loading it takes 30 ms of a start
        from rapidfuzz.distance import DamerauLevenshtein

        found = process.extractOne(word, alike, scorer=DamerauLevenshtein.distance, score_cutoff=allowed)
        if not found:
            return self._compound(word) if self.words.compounds else word
        return str(found[0]) if _mistyped(word, str(found[0])) else word

    def _compound(self, word: str) -> str:
        """An unknown word made of two known ones ("trainingstempo") as those two, any other as it is."""
        for end in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1):
            first, second = word[:end], word[end:]
            if second in self.spelled and (first in self.spelled or first.removesuffix("s") in self.spelled):
                return f"{first if first in self.spelled else first.removesuffix('s')} {second}"
        return word

    def best(
        self, asked: Asked, *, known: bool, likely: bool = False, among: frozenset[str] | None = None
    ) -> Match | None:
        """The entry that the text surely asks for; with `known` else the one whose phrase it contains, with `likely`
        that one where the phrase is most of the text. With `among` none where none of these comes into question.
        """
        if among is not None and not self.shared(asked.words, self.only(among)):
            return None
        found = []
        for words in dict.fromkeys((asked.literal, asked.words)):
            shares = self.shared(words)
            found += [sure] if shares and (sure := self._sure(words, asked.asking, shares)) else []
        if found:
            return max(found, key=lambda match: match.score)
        if not shares or not (known or likely):
            return None
        return self._contained(shares, 0.0 if known else LIKELY * sum(self.cost(word) for word in asked.words))

    def _sure(self, words: frozenset[str], asking: frozenset[str], shares: dict[int, float]) -> Match | None:
        """The entry that says nearly the same as the text; of equals the one that asks with the same words."""
        within = [  # those that words of the least cost would not rule out
            (place, shared)
            for place, shared in shares.items()
            if shared >= LEAST * (self.totals[place] + LIGHT * (len(words) - len(self.phrases[place])))
        ]
        if not within:
            return None
        costs = {word: self.cost(word) for word in words}
        text = sum(costs.values())
        found = []
        for place, shared in within:
            phrase = self.phrases[place]
            both = [word for word in phrase if word in words]
            beside = text - sum([costs[word] for word in both])
            score = round(shared / (self.totals[place] + beside), 6)
            whole = len(both) == len(phrase)
            told = len(both) > 1 or whole or len(both) == len(words)  # one word of several may be meant otherwise
            told = told and (NUMBER not in phrase or whole)
            if score >= SURE and told and (shared >= TOPIC or (whole and len(both) == len(words))):
                found.append((score, -len(asking ^ self.askings[place]), shared, -place, self.entries[place]))
        best = max(found, default=None)
        return Match(best[4], best[0]) if best else None

    def _contained(self, shares: dict[int, float], least: float) -> Match | None:
        """The entry whose phrase the text contains most of; the phrase that explains most of the text wins."""
        found = (
            (shared**3 / self.totals[place] ** 2, shared / self.totals[place], -place)
            for place, shared in shares.items()
            if shared >= max(TOPIC, least)
            and shared / self.totals[place] >= CONTAINED
            and not all(map(is_figure, self.phrases[place]))  # "what does 7b mean" is no part of "why does a 7b …"
        )
        best = max(found, default=None)
        return Match(self.entries[-best[2]], best[1]) if best else None

    def _of_entries(self, entries: frozenset[str]) -> frozenset[int]:
        """The places of the phrases of these entries."""
        return frozenset(place for place, entry in enumerate(self.entries) if entry in entries)

    def shared(self, words: frozenset[str], among: frozenset[int] | None = None) -> dict[int, float]:
        """Phrases of which the text says enough, whatever else it says, and the weight of what it says of them."""
        where, weight, phrases, totals = self.where, self.weight, self.phrases, self.totals
        places: Set[int] = set().union(*[where[word] for word in words if word in where])
        shares = {}
        for place in places if among is None else places & among:
            shared = 0.0
            for word in phrases[place]:
                if word in words:
                    shared += weight[word]
            if shared >= LEAST * totals[place]:
                shares[place] = shared
        return shares

    def cost(self, word: str) -> float:
        """What a word of the text that the phrase lacks speaks against the phrase."""
        if word == NUMBER or is_figure(word):
            return FIGURE
        if word not in self.weight:
            return STRANGE if len(word) >= TYPO_FROM else SHORT_STRANGE
        weight = self.weight[word]
        return weight if weight < ASIDE else ASIDE


def _any_number(words: frozenset[str]) -> frozenset[str]:
    """Content words with a plain number as any number."""
    plain = [word for word in words if word[0] in DIGITS and PLAIN.fullmatch(word)]
    return words.difference(plain).union((NUMBER,)) if plain and UNITS.isdisjoint(words) else words


def _mistyped(word: str, meant: str) -> bool:
    """Whether a word may be another one mistyped: letters swapped, in longer words one too many, missing or wrong."""
    swapped = sorted(word) == sorted(meant)
    return swapped or (len(word) > TYPO_FROM and (len(word) >= OTHER_LETTER_FROM or len(word) != len(meant)))


def is_figure(word: str) -> bool:
    return not word.isalpha()


@lru_cache(maxsize=16)
def index_of(language: str) -> Index:
    """The index of a language, built at first use."""
    return Index(language)

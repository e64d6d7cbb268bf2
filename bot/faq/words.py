"""A text as content words: lower case, small words dropped, synonyms folded, word ends cut. Data: faq_words.yaml."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from sys import intern

from bot.faq.entries import LANG
from knowledge import compiled

WORD = re.compile(r"[^\W_]+(?:\.\d+)?")
MAX_TEXT = 600
"""Characters of a text that are looked at; a definition is asked for in fewer."""
FOLD = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "é": "e"})
MOST_CUTS = 4096
BEGIN = 3
STEM_FROM = 5
"""Shorter words keep their ends."""


def split(text: str) -> list[str]:
    """The words of a text in lower case, without accents."""
    lower = text[:MAX_TEXT].lower()
    return WORD.findall(lower if lower.isascii() else lower.translate(FOLD))


@dataclass(frozen=True)
class Words:
    """The small print of a language."""

    asking: frozenset[str]
    """Words that show that something is asked or to be explained; dropped like small words."""
    same: Mapping[str, str]
    ends: tuple[str, ...]
    """Endings to cut, the longest first."""
    spelled: frozenset[str]
    """Every word that stands in the file: written right."""
    begins: frozenset[str]
    """The first BEGIN letters, or fewer, of what is in `same`: a text may write it in several words."""
    dropped: frozenset[str]
    """Small words and asking ones."""
    in_words: frozenset[str] = frozenset()
    """What is asked about in words and not in figures ("loss", "template")."""
    turned: tuple[str, ...] = ()
    """What a question has in it that is put the other way round ("is it hopeless")."""
    explaining: tuple[str, ...] = ()
    """What a sentence has in it that asks for something to be explained ("in simple words")."""
    verdicts: Mapping[str, str] = field(default_factory=dict)
    """How a verdict begins → how it begins where the question is put the other way round."""
    onward: tuple[str, ...] = ()
    """What a question that goes on about the one before begins with ("and", "what about")."""
    compounds: bool = False
    """Whether the language writes two words as one ("Trainingstempo")."""
    cuts: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    """What `cut` made of the words so far."""

    def content(self, words: list[str]) -> frozenset[str]:
        """The content words of a text's words, cut."""
        cuts = self.cuts
        said = set(self._joined(words)) - self.dropped
        return frozenset([cuts[word] if word in cuts else self.cut(word) for word in said])

    def asked(self, words: Iterable[str]) -> frozenset[str]:
        """The words that a text asks with."""
        same = self.same
        return frozenset([same.get(word, word) for word in self.asking.intersection(words)])

    def asks(self, text: str) -> bool:
        """Whether a text asks: a question mark, or a word such as "what", "explain", "meaning"."""
        return "?" in text[:MAX_TEXT] or any(word in self.asking for word in split(text))

    def goes_on(self, text: str) -> bool:
        """Whether a text goes on about what was said before it ("and with a larger batch?")."""
        return " ".join(split(text[:MAX_TEXT])[:3]).startswith(self.onward) if self.onward else False

    def cut(self, word: str) -> str:
        """A word without its ending, or its synonym; remembered for the first MOST_CUTS words."""
        known = self.cuts.get(word)
        if known is None:
            known = self._cut(word)
            if len(self.cuts) < MOST_CUTS:
                self.cuts[word] = known
        return known

    def _cut(self, word: str) -> str:
        if word in self.same:
            return self.same[word]
        if len(word) >= STEM_FROM and word.isalpha():
            for end in self.ends:
                if word.endswith(end) and len(word) - len(end) >= 3:
                    stem = word[: -len(end)]
                    return self.same.get(stem, stem)
        return word

    def _joined(self, words: list[str]) -> list[str]:
        """Two or three words that are one in `same` ("fine tuning", "out of memory") as that one, where it says more
        than its first word does by itself ("context length", but not "card gpu").
        """
        same, begins = self.same, self.begins
        joined, skip = [], 0
        for first, second, third in zip(words, [*words[1:], ""], [*words[2:], "", ""], strict=False):
            if skip:
                skip -= 1
                continue
            word = first
            if first[:BEGIN] in begins:
                alone = same.get(first)
                two = first + second
                three = two + third
                if three in same and same[three] != alone:
                    word, skip = three, 2
                elif two in same and same[two] != alone:
                    word, skip = two, 1
            joined.append(word)
        return joined


@lru_cache(maxsize=16)
def words_of(language: str) -> Words:
    """faq_words.yaml of a language; a language without one drops no word."""
    path = LANG / language / "faq_words.yaml"
    data = compiled.load_yaml_tree(path.parent, path.name, texts=True)[path.name] if path.exists() else {}
    lists = ("stop", "asking", "ends", "in_words")
    folded = {key: [intern(word.translate(FOLD)) for word in data.get(key, [])] for key in lists}
    same = {
        intern(word.replace(" ", "").translate(FOLD)): intern(head.translate(FOLD))
        for head, others in data.get("same", {}).items()
        for word in [head, *others]
    }
    pieces = {
        piece for others in data.get("same", {}).values() for word in others for piece in map(intern, split(word))
    }
    dropped = frozenset(folded["stop"] + folded["asking"])
    return Words(
        dropped=dropped,
        asking=frozenset(folded["asking"]),
        in_words=frozenset(folded["in_words"]),
        turned=tuple(data.get("turned", [])),
        explaining=tuple(data.get("explaining", [])),
        verdicts=data.get("verdicts", {}),
        same=same,
        onward=tuple(f"{begin} " for begin in data.get("onward", [])),
        compounds=data.get("compounds") in (True, "true"),
        ends=tuple(sorted(folded["ends"], key=len, reverse=True)),
        begins=frozenset(word[:end] for word in same for end in range(1, min(BEGIN, len(word) - 1) + 1)),
        spelled=dropped.union(same, pieces),
    )

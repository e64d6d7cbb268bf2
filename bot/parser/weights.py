"""The fitted weights of all signs, ready to be added up: each sign is one number that holds a weight for every kind.

Packing them takes long and much room, so the packed ones are kept between starts.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple

from bot.parser.grammar import leanings_of
from bot.parser.signs import FULL, NAMED, Gram, as_text
from bot.parser.tally import pack
from knowledge.kept import kept
from knowledge.language import LANGUAGES, kind_weights

FOLDER = Path(__file__).parent
WORDS = "words"


class Weights(NamedTuple):
    """Packed weights. `phrases`: of one step of strength; `found`: for each section of signs, sign → weights.

    Words come last: the first language's, and in another one what it says besides, for the same words once more.
    """

    always: int
    phrases: Mapping[str, int]
    found: tuple[Callable[[Gram], int | None], ...]


def weights_of(code: str) -> Weights:
    """The weights for a language: fitted ones, and what words say that stand in its phrases."""
    return _weights()[code]


@cache
def _weights() -> Mapping[str, Weights]:
    """For all languages; what is the same in them is there once."""
    table = kept("weights", _packed, by=FOLDER)
    figures: list[int] = table["figures"]
    grams = list(map(_gram, table["grams"]))
    named = [table["named"][section] for section in NAMED[:-1]]
    words = {
        code: {grams[gram]: figures[figure] for gram, figure in zip(*table[WORDS][code], strict=True)}
        for code in LANGUAGES
    }
    first, *others = LANGUAGES
    said = {first: [words[first]]} | {code: [words[first], words[code]] for code in others}
    return {
        code: Weights(table["always"], table["phrases"], tuple(sign.get for sign in (*named, *said[code])))
        for code in LANGUAGES
    }


def _packed() -> dict[str, Any]:
    """All weights as plain values; words and their figures, which are often the same, by number."""
    fitted = kind_weights()
    grams: dict[str, int] = {}
    figures: dict[int, int] = {}
    words = {}
    first = _words(LANGUAGES[0], fitted)
    for code in LANGUAGES:
        said = first if code == LANGUAGES[0] else _besides(first, _words(code, fitted))
        numbers = [grams.setdefault(gram, len(grams)) for gram in said]
        words[code] = [numbers, [figures.setdefault(packed, len(figures)) for packed in said.values()]]
    return {
        "always": pack(fitted["always"]["always"]),
        "phrases": {kind: pack(weights, 1 / FULL) for kind, weights in fitted["phrases"].items()},
        "named": {section: {sign: pack(of) for sign, of in fitted.get(section, {}).items()} for section in NAMED[:-1]},
        "grams": list(grams),
        "figures": list(figures),
        WORDS: words,
    }


def _words(code: str, fitted: Mapping[str, Any]) -> dict[str, int]:
    """Words, and pairs of words with a blank between, and what they say: fitted, and as phrases lean."""
    said = {sign: pack(weights) for sign, weights in fitted[WORDS].items()}
    leaning = fitted["leaning"]
    for gram, leans in leanings_of(code).items():
        sign = as_text(gram)
        said[sign] = said.get(sign, 0) + sum(pack(leaning[kind], share) for kind, share in leans.items())
    return said


def _besides(first: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """What must be added to the weights of one language to have another's."""
    added = {sign: other.get(sign, 0) - first.get(sign, 0) for sign in (*first, *other)}
    return {sign: packed for sign, packed in added.items() if packed}


def _gram(sign: str) -> Gram:
    first, _, second = sign.partition(" ")
    return (intern(first), intern(second)) if second else intern(first)

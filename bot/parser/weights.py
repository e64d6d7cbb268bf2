"""The fitted weights of all signs, ready to be added up: each sign is one number that holds a weight for every kind."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from bot.parser.grammar import leanings_of
from bot.parser.signs import FULL, NAMED, Gram
from bot.parser.tally import pack
from knowledge.language import kind_weights

Figures = Mapping[str, float]


class Weights(NamedTuple):
    """Packed weights. `phrases`: of one step of strength; `named`: section → sign → weights."""

    always: int
    phrases: Mapping[str, int]
    named: Mapping[str, Mapping[Gram, int]]


@cache
def weights_of(code: str) -> Weights:
    """The weights for a language: fitted ones, and what words say that stand in its phrases."""
    fitted, leaning = _fitted()
    words = dict(fitted.named["words"])
    known: dict[int, int] = {}
    for gram, leans in leanings_of(code).items():
        packed = words.get(gram, 0) + sum(pack(leaning[kind], share) for kind, share in leans.items())
        words[gram] = known.setdefault(packed, packed)  # half of them say the same: one number for all
    return fitted._replace(named={**fitted.named, "words": words})


@cache
def _fitted() -> tuple[Weights, Mapping[str, Figures]]:
    """What all languages share, packed once; and the weights of words that only lean to a kind."""
    table = kind_weights()
    named: dict[str, dict[Gram, int]] = {
        section: {sign: pack(figures) for sign, figures in table[section].items()} for section in NAMED[:-1]
    }
    named["words"] = {_gram(sign): pack(figures) for sign, figures in table["words"].items()}
    phrases = {kind: pack(figures, 1 / FULL) for kind, figures in table["phrases"].items()}
    return Weights(pack(table["always"]["always"]), phrases, named), table["leaning"]


def _gram(sign: str) -> Gram:
    first, _, second = sign.partition(" ")
    return (first, second) if second else first

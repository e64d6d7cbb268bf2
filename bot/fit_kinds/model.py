"""Fits the weights of kinds to the messages of knowledge/kinds/: `python -m knowledge fit-kinds`.

A multinomial logistic regression, in plain Python and the same on every machine: a minute or two. Nothing of it runs
when a message is read.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import exp, sqrt
from typing import NamedTuple

from bot.parser.affinity import Leanings
from bot.parser.grammar import leanings_of
from bot.parser.pasted import read_pasted
from bot.parser.pasting import merge
from bot.parser.signs import FULL, NAMED, Signs, signs_of, strength
from bot.parser.tally import KINDS, PLACE
from bot.parser.understanding import understand
from knowledge.kind_examples import Example

HALF = 0.5
"""What the leanings of words are multiplied with, so that they are of the size of other signs."""
LEAST_SEEN = 3
"""Questions that a sign must be seen in; told in other words a question is the same one."""
SECOND_CHOICE = 0.3
"""Share of the further kinds where more than one is right."""
ROUNDS = 30
STRIDE = 0.4
HOLD = 2.0
"""How strongly weights are drawn to nothing."""
SMALLEST = {"words": 0.06}
"""Weights of words below this are left out."""
NEXT_TO_NOTHING = 0.02

Sign = tuple[str, str]
"""Section and name."""
Weights = dict[str, dict[str, dict[str, float]]]


class Case(NamedTuple):
    """A message as numbers."""

    signs: dict[Sign, float]
    wanted: list[float]
    weight: float
    origin: str


def case_of(example: Example) -> Case:
    """Reads a message."""
    wanted = [0.0] * len(KINDS)
    for place, kind in enumerate(example.kinds):
        rest = SECOND_CHOICE / max(1, len(example.kinds) - 1)
        wanted[PLACE[kind]] = rest if place else 1.0 - SECOND_CHOICE * (len(example.kinds) > 1)
    return Case(seen_in(example.text), wanted, example.weight, example.origin)


def seen_in(text: str) -> dict[Sign, float]:
    """The signs of a message, each with how much there is of it."""
    pasted = read_pasted(text)
    parts = understand(text if pasted is None or "\n" not in text else pasted.rest)
    if pasted is not None:
        merge(parts, pasted)
    signs = signs_of(parts.message, parts.findings, parts.told, parts.slots.sources)
    return counted(signs, "de" if parts.tongue == "de" else "en")


def counted(signs: Signs, code: str) -> dict[Sign, float]:
    """Signs by section and name."""
    seen: dict[Sign, float] = {("always", "always"): 1.0}
    for kind, weights in signs.phrases.items():
        seen["phrases", kind] = strength(weights) / FULL
    for section, shown in zip(NAMED, signs[1:], strict=True):
        for name in shown:
            seen[section, name if isinstance(name, str) else " ".join(name)] = 1.0
    leans = _leanings(code)
    for gram in signs.words:
        for kind, share in leans.get(gram, {}).items():
            seen["leaning", kind] = seen.get(("leaning", kind), 0.0) + HALF * share
    return seen


@cache
def _leanings(code: str) -> Leanings:
    return leanings_of(code)


class Model:
    """Weights while they are fitted."""

    def __init__(self, cases: Sequence[Case]) -> None:
        pairs = {(sign, case.origin) for case in cases for sign in case.signs}
        often = {sign for sign, count in Counter(sign for sign, _ in pairs).items() if count >= LEAST_SEEN}
        self.seen = Counter(sign for case in cases for sign in case.signs if sign in often)
        self.weights = {sign: [0.0] * len(KINDS) for sign in self.seen}
        self._gone = {sign: [1e-3] * len(KINDS) for sign in self.seen}

    def likely(self, signs: Mapping[Sign, float]) -> list[float]:
        """How likely each kind is."""
        figures = [0.0] * len(KINDS)
        for sign, value in signs.items():
            weights = self.weights.get(sign)
            if weights is not None:
                figures = [figure + value * weight for figure, weight in zip(figures, weights, strict=True)]
        highest = max(figures)
        raised = [exp(figure - highest) for figure in figures]
        whole = sum(raised)
        return [value / whole for value in raised]

    def kind(self, signs: Mapping[Sign, float]) -> str:
        """The likeliest kind."""
        likely = self.likely(signs)
        return KINDS[likely.index(max(likely))].value

    def learn(self, case: Case) -> None:
        """One step towards what is wanted of a message (AdaGrad, with a pull to nothing)."""
        off = [case.weight * (is_ - want) for is_, want in zip(self.likely(case.signs), case.wanted, strict=True)]
        for sign, value in case.signs.items():
            weights, gone = self.weights.get(sign), self._gone.get(sign)
            if weights is None or gone is None:
                continue
            pull = HOLD / self.seen[sign] if sign[0] != "always" else 0.0
            for place, wrong in enumerate(off):
                slope = value * wrong + pull * weights[place]
                gone[place] += slope * slope
                weights[place] -= STRIDE * slope / sqrt(gone[place])


def fit(cases: Sequence[Case]) -> Model:
    """The weights that explain the messages best."""
    model, chance = Model(cases), random.Random(1)  # noqa: S311
    order = list(cases)
    for _ in range(ROUNDS):
        chance.shuffle(order)
        for case in order:
            model.learn(case)
    return model


def as_table(model: Model) -> Weights:
    """Section → sign → kind → weight, rounded, without what says next to nothing."""
    table: Weights = defaultdict(dict)
    scale = {"leaning": HALF}
    for (section, name), weights in sorted(model.weights.items()):
        least = SMALLEST.get(section, NEXT_TO_NOTHING)
        figures = {
            kind.value: round(weight * scale.get(section, 1.0), 2)
            for kind, weight in zip(KINDS, weights, strict=True)
            if abs(weight) >= least
        }
        if figures:
            table[section][name] = figures
    return dict(table)


def folds(examples: Sequence[Example], number: int) -> Iterable[tuple[list[Example], list[Example]]]:
    """(to learn from, to judge by), several times; messages of one origin stay together."""
    origins = sorted({example.origin for example in examples})
    random.Random(1).shuffle(origins)  # noqa: S311
    fold = {origin: place % number for place, origin in enumerate(origins)}
    for held in range(number):
        yield (
            [example for example in examples if fold[example.origin] != held],
            [example for example in examples if fold[example.origin] == held],
        )

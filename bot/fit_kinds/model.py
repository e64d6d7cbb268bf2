"""Fits the weights of kinds to the messages of knowledge/kinds/: `python -m knowledge fit-kinds`.

A multinomial logistic regression, in plain Python and the same on every machine: a minute or two. Nothing of it runs
when a message is read.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import exp, sqrt

from bot.fit_kinds.cases import HALF, Case, Sign
from bot.parser.tally import KINDS

LEAST_SEEN = 4
"""Questions that a sign must be seen in; told in other words a question is the same one."""
ROUNDS = 25
STRIDE = 0.4
HOLD = 4.0
"""How strongly weights are drawn to nothing."""
SMALLEST = {"words": 0.06, "asked": 0.06}
"""Weights of words below this are left out."""
NEXT_TO_NOTHING = 0.02

Weights = dict[str, dict[str, dict[str, float]]]


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

    def learn(self, case: Case) -> None:
        """One step towards what is wanted of a message (AdaGrad, with a pull to nothing)."""
        off = [case.weight * (is_ - want) for is_, want in zip(self.likely(case.signs), case.wanted, strict=True)]
        for sign, value in case.signs.items():
            weights, gone = self.weights.get(sign), self._gone.get(sign)
            if weights is None or gone is None:
                continue
            pull = HOLD / self.seen[sign] if sign[0] != "always" else 0.0
            slopes = [value * wrong + pull * weight for wrong, weight in zip(off, weights, strict=True)]
            gone[:] = [before + slope * slope for before, slope in zip(gone, slopes, strict=True)]
            weights[:] = [
                weight - STRIDE * slope / sqrt(before)
                for weight, slope, before in zip(weights, slopes, gone, strict=True)
            ]


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

"""How well messages are understood that were not learnt from, nor anything like them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import NamedTuple
from zlib import crc32

from bot.fit_kinds.cases import Case
from bot.fit_kinds.model import Model, fit
from bot.parser.kinds import SAME_NEED, most_agreed
from bot.parser.tally import KINDS
from knowledge.kind_examples import Example
from knowledge.names import name_tokens

FOLDS = 5
REAL = "retold.yaml"
"""Questions that were really asked."""
ALIKE = 0.65
"""Share of the rare words of the shorter of two messages that makes them one question in other words."""
LEAST_WEIGHT = 9.0
"""Rare words that must be shared at the least: two short messages are soon alike."""
STEM = 5


class Understood(NamedTuple):
    """Messages understood, those whose need at least is met, all of them."""

    right: int = 0
    near: int = 0
    all: int = 0

    def __str__(self) -> str:
        share = 100 / max(1, self.all)
        return f"{self.all:5d} messages  {share * self.right:5.1f} % right  {share * self.near:5.1f} % right or near"


def understood(model: Model, cases: Iterable[Case]) -> Understood:
    """What a model makes of messages."""
    found = Understood()
    for case in cases:
        wanted = KINDS[case.wanted.index(max(case.wanted))]
        kind = KINDS[most_agreed(model.likely(case.signs))]
        near = kind is wanted or any({kind, wanted} <= need for need in SAME_NEED)
        found = Understood(found.right + (kind is wanted), found.near + near, found.all + 1)
    return found


def held_out(examples: Sequence[Example], cases: Mapping[int, Case]) -> dict[str, Understood]:
    """File → how its messages are understood when neither they nor real questions like them were learnt from."""
    total: dict[str, Understood] = defaultdict(Understood)
    for learnt, held in folds(examples, FOLDS):
        model = fit([cases[id(example)] for example in learnt])
        for name in {example.file for example in held}:
            found = understood(model, (cases[id(example)] for example in held if example.file == name))
            total[name] = Understood(*(before + more for before, more in zip(total[name], found, strict=True)))
    return dict(total)


def folds(examples: Sequence[Example], number: int) -> Iterable[tuple[list[Example], list[Example]]]:
    """(to learn from, to judge by), several times; messages of one origin stay together."""
    fold = {example.origin: crc32(example.origin.encode()) % number for example in examples}
    alike = alike_to_real(examples)
    for part in range(number):
        held = [example for example in examples if fold[example.origin] == part]
        like = {id(other) for example in held for other in alike.get(id(example), ())}
        yield [other for other in examples if fold[other.origin] != part and id(other) not in like], held


def alike_to_real(examples: Sequence[Example]) -> dict[int, list[Example]]:
    """Real question → messages with nearly the same rare words, which may be the same question once more."""
    stems = [{token[:STEM] for token in name_tokens(example.text)} for example in examples]
    count = Counter(stem for of_one in stems for stem in of_one)
    rare = {stem: log(len(examples) / (1 + often)) for stem, often in count.items()}
    weights = [sum(rare[stem] for stem in of_one) for of_one in stems]
    holders: dict[str, list[int]] = defaultdict(list)
    for place, of_one in enumerate(stems):
        for stem in of_one:
            holders[stem].append(place)
    found: dict[int, list[Example]] = {}
    for place, real in enumerate(examples):
        if real.file != REAL:
            continue
        shared: dict[int, float] = defaultdict(float)
        for stem in stems[place]:
            for other in holders[stem]:
                shared[other] += rare[stem]
        least = {other: ALIKE * max(LEAST_WEIGHT, min(weights[place], weights[other])) for other in shared}
        found[id(real)] = [examples[other] for other, weight in shared.items() if weight >= least[other]]
    return found

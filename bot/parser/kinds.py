"""Which kind of question a message is: phrases and circumstances add up, the highest sum is the question."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from operator import itemgetter

from advisor.query import Kind
from bot.parser.findings import Findings
from knowledge.language import shared_phrases

SECOND_NEED = 0.5
"""A second kind with at least this share of the first one's sum is a need of its own."""
ASKED = 6.0
"""Weight of a phrase that asks for its kind in so many words."""
SHARES = (1.0, 0.5, 0.3)
"""What the strongest, second and third phrase of a kind count."""
MOST_PER_KIND = len(SHARES)
"""Phrases of one kind that count: a long message must not win by its length."""
ALSO = frozenset(
    {
        Kind.SYSTEM_RAM,
        Kind.TIME_ESTIMATE,
        Kind.COST_BUY_VS_RENT,
        Kind.DATA_SIZE_QUALITY,
        Kind.CONTEXT_LENGTH,
        Kind.FITS_CHECK,
        Kind.MULTI_GPU,
        Kind.METHOD_CHOICE,
        Kind.TRAINER_CHOICE,
        Kind.WHICH_GPU,
        Kind.OOM_HELP,
        Kind.COMPARE_GPUS,
    }
)


KINDS = {kind.value: kind for kind in Kind}


@cache
def _weights() -> Mapping[str, tuple[tuple[str, float], ...]]:
    table = shared_phrases()["circumstances"]
    return {name: tuple((kind, float(weight)) for kind, weight in kinds.items()) for name, kinds in table.items()}


def _weights_found(findings: Findings) -> dict[str, list[float]]:
    """Weights of the phrases of each kind; of overlapping ones only the first, and none inside "not enough memory"."""
    weights: dict[str, list[float]] = {}
    ends: dict[str, int] = {}
    covered = findings.covered  # in order of place, as all that is found
    reach, reached, covers, behind = 0, 0.0, 0, 0
    places = [(start, -end, target) for start, end, target, _ in findings.evidence if target.section == "kinds"]
    for start, minus_end, target in sorted(places, key=_place):
        kind, end = target.name, -minus_end
        if end < reach and target.value <= reached:
            continue  # "what is" in "what is the best gpu"
        if end >= reach:
            reach, reached = end, target.value
        while covers < len(covered) and covered[covers][0] <= start:
            behind = max(behind, covered[covers][1])
            covers += 1
        if start < ends.get(kind, 0):
            weights[kind][-1] = max(weights[kind][-1], target.value)
        elif kind == "oom_help" or end > behind:
            ends[kind] = end
            weights.setdefault(kind, []).append(target.value)
    return weights


_place = itemgetter(0, 1)
"""The first and longest before the others."""


def kind_of(findings: Findings, told: list[str]) -> tuple[Kind, Kind | None, dict[str, float]]:
    """The kind, a second need or None, and all sums."""
    sums: dict[str, float] = defaultdict(float)
    weights_of = _weights()
    found = _weights_found(findings)
    for kind, weights in found.items():
        strongest = sorted(weights, reverse=True)[:MOST_PER_KIND]
        sums[kind] += sum(weight * share for weight, share in zip(strongest, SHARES, strict=False))
    for kind, weight in findings.leaning.items():
        sums[kind] += weight
    for name in told:
        for kind, weight in weights_of.get(name, ()):
            sums[kind] += weight
    sums = dict(sums)
    ranked = sorted(sums, key=sums.__getitem__, reverse=True)
    if not ranked or sums[ranked[0]] <= 0:
        return Kind.HELP, None, sums
    return KINDS[ranked[0]], _second_need(ranked, sums, found), sums


def _second_need(ranked: list[str], sums: Mapping[str, float], found: Mapping[str, list[float]]) -> Kind | None:
    """The next kind, when a phrase asks for it in so many words and its sum is near the first one's."""
    first = ranked[0]
    if first not in ALSO:
        return None
    for name in ranked[1:4]:
        if name in ALSO and name in found and max(found[name]) >= ASKED and sums[name] >= SECOND_NEED * sums[first]:
            return KINDS[name]
    return None

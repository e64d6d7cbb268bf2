"""Which kind of question a message is: phrases and circumstances add up, the highest sum is the question."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from advisor.query import Kind
from bot.parser.findings import Findings, Found
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


@cache
def _weights() -> Mapping[str, Mapping[str, float]]:
    table = shared_phrases()["circumstances"]
    return {name: {kind: float(weight) for kind, weight in kinds.items()} for name, kinds in table.items()}


def _weights_found(findings: Findings) -> dict[str, list[float]]:
    """Weights of the phrases of each kind; of overlapping ones only the first, and none inside "not enough memory"."""
    weights: dict[str, list[float]] = {}
    ends: dict[str, int] = {}
    reach, reached = 0, 0.0
    for start, end, target, _ in sorted((f for f in findings.evidence if f.target.section == "kinds"), key=_place):
        kind = target.name
        if end < reach and target.value <= reached:
            continue  # "what is" in "what is the best gpu"
        if end >= reach:
            reach, reached = end, target.value
        if start < ends.get(kind, 0):
            weights[kind][-1] = max(weights[kind][-1], target.value)
        elif kind == "oom_help" or not any(s <= start and end <= e for s, e in findings.covered):
            ends[kind] = end
            weights.setdefault(kind, []).append(target.value)
    return weights


def _place(found: Found) -> tuple[int, int]:
    return found.start, -found.end


def kind_of(findings: Findings, told: list[str]) -> tuple[Kind, Kind | None, dict[str, float]]:
    """The kind, a second need or None, and all sums."""
    sums: dict[str, float] = defaultdict(float)
    found = _weights_found(findings)
    for kind, weights in found.items():
        strongest = sorted(weights, reverse=True)[:MOST_PER_KIND]
        sums[kind] += sum(weight * share for weight, share in zip(strongest, SHARES, strict=False))
    for kind, weight in findings.leaning.items():
        sums[kind] += weight
    for name in told:
        for kind, weight in _weights().get(name, {}).items():
            sums[kind] += weight
    if not sums or max(sums.values()) <= 0:
        return Kind.HELP, None, dict(sums)
    ranked = sorted(sums, key=lambda kind: -sums[kind])
    return Kind(ranked[0]), _second_need(ranked, sums, found), dict(sums)


def _second_need(ranked: list[str], sums: Mapping[str, float], found: Mapping[str, list[float]]) -> Kind | None:
    """The next kind, when a phrase asks for it in so many words and its sum is near the first one's."""
    first = ranked[0]
    if Kind(first) not in ALSO:
        return None
    for name in ranked[1:4]:
        asked = max(found.get(name, (0.0,))) >= ASKED
        if Kind(name) in ALSO and asked and sums[name] >= SECOND_NEED * sums[first]:
            return Kind(name)
    return None

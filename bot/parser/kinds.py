"""Which kind of question a message is: the weights of all its signs add up, the likeliest kind is the question."""

from collections.abc import Mapping, Sequence
from math import exp

from advisor.query import Kind
from bot.parser.signs import NAMED, Signs, strength
from bot.parser.tally import KINDS, ONE, PLACE, unpack
from bot.parser.weights import weights_of

SECOND_NEED = 0.5
"""A second kind that is asked for at least this share as strongly as the first is a need of its own."""
IMAGINABLE = 0.01
"""Likelihood that a second kind needs that a phrase asks for."""
LIKELY = 0.2
"""Likelihood from which on a second kind needs no phrase but a weak one."""
NOT_OURS = frozenset({Kind.OFF_TOPIC, Kind.INFERENCE_ONLY})
CLEARLY, SURELY = 0.4, 0.85
"""Likelihood that a kind of these needs when no phrase says so: without, and with, a card, a model or training."""
ASKED = 6.0
"""Weight of a phrase that asks for its kind in so many words."""
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


def kind_of(signs: Signs, figures: Sequence[int]) -> tuple[Kind, Kind | None]:
    """The kind, and a second need or None. `figures`: sums of the weights of the signs."""
    first: Kind = KINDS[figures.index(max(figures))]
    if first in NOT_OURS and first not in signs.phrases:
        first = _first_unasked(likelihoods(figures), signs)
    return first, _second_need(first, figures, signs.phrases)


def figures_of(signs: Signs, code: str) -> Sequence[int]:
    """What speaks for each kind, as sums of weights. `code`: whose grammar the message was read with."""
    weights = weights_of(code)
    total = weights.always
    for kind, found in signs.phrases.items():
        total += weights.phrases[kind] * strength(found)
    for section, shown in zip(NAMED, signs[1:], strict=True):
        if shown:
            total += sum(filter(None, map(weights.named[section].get, shown)))
    return unpack(total)


def likelihoods(figures: Sequence[int]) -> dict[str, float]:
    """How likely each kind is."""
    highest = max(figures)
    raised = [exp((figure - highest) / ONE) for figure in figures]
    whole = sum(raised)
    return dict(zip(PLACE, [value / whole for value in raised], strict=True))


def _first_unasked(likely: Mapping[str, float], signs: Signs) -> Kind:
    """The likeliest kind that no phrase asks for: that it is not for us must be clear, as then nothing is answered."""
    for kind in sorted(likely, key=likely.__getitem__, reverse=True)[:3]:
        if kind not in NOT_OURS or kind in signs.phrases:
            return Kind(kind)
        if likely[kind] >= (CLEARLY if "nothing" in signs.circumstances else SURELY):
            return Kind(kind)
    return Kind.FITS_CHECK


def _second_need(first: Kind, figures: Sequence[int], phrases: Mapping[str, list[float]]) -> Kind | None:
    """The likeliest other kind that a phrase asks for in so many words."""
    if first not in ALSO or len(phrases) < (2 if first in phrases else 1):
        return None
    if not any(kind in ALSO and kind != first for kind in phrases):
        return None
    likely = likelihoods(figures)
    least = SECOND_NEED * strength(phrases.get(first, ()))
    others = [
        kind
        for kind, found in phrases.items()
        if kind in ALSO
        and kind != first
        and (
            likely[kind] >= LIKELY or (likely[kind] >= IMAGINABLE and max(found) >= ASKED and strength(found) >= least)
        )
    ]
    return Kind(max(others, key=likely.__getitem__)) if others else None

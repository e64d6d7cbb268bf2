"""Which kind of question a message is: the weights of its signs add up; of likely kinds the most useful is answered."""

from collections.abc import Mapping, Sequence
from itertools import chain
from math import exp

from advisor.query import Kind
from bot.parser.signs import Signs, strength
from bot.parser.tally import KINDS, ONE, PLACE, unpack
from bot.parser.weights import weights_of

SECOND_NEED = 0.5
"""A second kind that is asked for at least this share as strongly as the first is a need of its own."""
IMAGINABLE = 0.005
"""Likelihood that a second kind needs that a phrase asks for."""
LIKELY = 0.2
"""Likelihood from which on a second kind needs no phrase but a weak one."""
NOT_OURS = frozenset({Kind.OFF_TOPIC, Kind.INFERENCE_ONLY})
CLEARLY, SURELY = 0.4, 0.85
"""Likelihood that a kind of these needs when no phrase says so: without, and with, a card, a model or training."""
ASKED = 6.0
"""Weight of a phrase that asks for its kind in so many words."""
SAME_NEED = (
    frozenset({Kind.FITS_CHECK, Kind.WHICH_GPU, Kind.CONTEXT_LENGTH, Kind.MULTI_GPU}),
    frozenset({Kind.OOM_HELP, Kind.CONTEXT_LENGTH, Kind.MULTI_GPU, Kind.SYSTEM_RAM}),
    frozenset({Kind.METHOD_CHOICE, Kind.FAQ_DEFINITION}),
    frozenset({Kind.TRAINER_CHOICE, Kind.METHOD_CHOICE}),
    frozenset({Kind.WHICH_GPU, Kind.COMPARE_GPUS, Kind.COST_BUY_VS_RENT}),
    frozenset({Kind.INFERENCE_ONLY, Kind.OFF_TOPIC}),
    frozenset({Kind.FAQ_DEFINITION, Kind.DATA_SIZE_QUALITY}),
)
"""Kinds of which each answer helps who meant another one."""
NEAR = [
    [
        place
        for place, other in enumerate(KINDS)
        if other is not kind and any({kind, other} <= need for need in SAME_NEED)
    ]
    for kind in KINDS
]
"""Place of a kind → places of those with the same need."""
HALF_RIGHT = 0.4
"""What an answer to the same need is worth."""
CLEAR = 3.6
"""Lead of the first kind over the second from which on no other can be the better answer."""
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
    *_, second, highest = sorted(figures)
    shares: list[float] = []
    if highest - second >= CLEAR * ONE:
        first: Kind = KINDS[figures.index(highest)]
    else:
        shares = _shares(figures)
        first = KINDS[most_agreed(shares)]
    if first in NOT_OURS and first not in signs.phrases:
        first = _first_unasked(likelihoods(figures), signs)
    return first, _second_need(first, figures, shares, signs.phrases)


def figures_of(signs: Signs, code: str) -> Sequence[int]:
    """What speaks for each kind, as sums of weights. `code`: whose grammar the message was read with."""
    weights = weights_of(code)
    total = weights.always
    for kind, found in signs.phrases.items():
        total += weights.phrases[kind] * strength(found)
    shown = chain.from_iterable(map(map, weights.found, (*signs[1:], signs[-1])))
    return unpack(sum(filter(None, shown), total))


def likelihoods(figures: Sequence[int]) -> dict[str, float]:
    """How likely each kind is."""
    return dict(zip(PLACE, _shares(figures), strict=True))


def _shares(figures: Sequence[int]) -> list[float]:
    """How likely each kind is, in the order of KINDS."""
    highest = max(figures)
    raised = [exp((figure - highest) / ONE) for figure in figures]
    whole = sum(raised)
    return [value / whole for value in raised]


def most_agreed(likely: Sequence[float]) -> int:
    """The place of the kind whose answer is of most use, given how likely each is: the nearest ones count in part."""
    least = max(likely) - HALF_RIGHT  # all that the others are worth together
    places = [place for place, own in enumerate(likely) if own >= least]
    if len(places) == 1:
        return places[0]
    return max(places, key=lambda place: likely[place] + HALF_RIGHT * sum([likely[other] for other in NEAR[place]]))


def _first_unasked(likely: Mapping[str, float], signs: Signs) -> Kind:
    """The likeliest kind that no phrase asks for: that it is not for us must be clear, as then nothing is answered."""
    for kind in sorted(likely, key=likely.__getitem__, reverse=True)[:3]:
        if kind not in NOT_OURS or kind in signs.phrases:
            return Kind(kind)
        if likely[kind] >= (CLEARLY if "nothing" in signs.circumstances else SURELY):
            return Kind(kind)
    return Kind.FITS_CHECK


def _second_need(
    first: Kind, figures: Sequence[int], shares: Sequence[float], phrases: Mapping[str, list[float]]
) -> Kind | None:
    """The likeliest other kind that a phrase asks for in so many words. `shares`: empty where nobody counted them."""
    if first not in ALSO or len(phrases) < (2 if first in phrases else 1):
        return None
    others = [kind for kind in phrases if kind in ALSO and kind != first]
    if not others:
        return None
    shares = shares or _shares(figures)
    likely = {kind: shares[PLACE[kind]] for kind in others}
    least = SECOND_NEED * strength(phrases.get(first, ()))
    meant = [kind for kind in others if _is_meant(phrases[kind], likely[kind], least)]
    return Kind(max(meant, key=likely.__getitem__)) if meant else None


def _is_meant(found: Sequence[float], likely: float, least: float) -> bool:
    """Whether phrases ask for a kind beside the first: it is likely, or they do in so many words."""
    return likely >= LIKELY or (likely >= IMAGINABLE and max(found) >= ASKED and strength(found) >= least)

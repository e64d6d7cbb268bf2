"""An advice's bytes as the few parts that a picture can tell apart."""

from collections.abc import Mapping

from advisor.advice import Advice, Need
from bot.picture.theme import PARTS

PART_OF = {
    "weights": "weights",
    "embeddings": "weights",
    "gathered": "gathered",
    "adapters": "trained",
    "gradients": "trained",
    "optimizer": "trained",
    "activations": "activations",
    "logits": "logits",
    "loss": "logits",
}
"""Component of an estimate → part; all others are the rest."""
MAX_NEEDS = 3


def parts_of(need: Need) -> Mapping[str, int]:
    """Bytes of each part of a need, in the order of stacking; they sum to its device figure."""
    sums = dict.fromkeys(PARTS, 0)
    for name, size in need.components.items():
        sums[PART_OF.get(name, "rest")] += size
    sums["overhead"] += max(0, need.device - sum(sums.values()))
    return {name: size for name, size in sums.items() if size > 0}


def needs_of(advice: Advice) -> tuple[Need, ...]:
    """The stacks to draw: the leanest first, those that can be drawn at all."""
    return tuple(need for need in advice.needs if need.device > 0 and need.components)[:MAX_NEEDS]

"""Card sizes: which GB class holds a need, and where the seed's tiers (S10-S14) put a model of this size."""

from functools import lru_cache
from typing import Any

from advisor.advice import Need
from advisor.case import Case
from advisor.errors import AdvisorError
from advisor.stacks import BILLION, COMFORT_OF_CARD, GOOD, Stack, usable_of_size
from knowledge.catalog import Catalog

SIZES = (6, 8, 12, 16, 24, 32, 48, 80, 96, 141)
"""GB on the box, of the cards that people have or can rent."""
COMMON = (8, 12, 16, 24, 32, 48, 80, 96, 141)
"""The sizes that a table shows."""
AT_HOME = 32
"""GB of the largest single consumer card (RTX 5090, S20)."""
ABOUT = 1.06
"""A "13B" has up to 13.5e9 parameters: sizes are names."""
TIGHT_IS_EASY_BELOW = 0.55
"""A tier that is tight for its largest models is comfortable up to about half of that size."""
SHARDED = (("sharding", "fsdp"), ("offload", "none"))
"""Stack changes for several cards that share one model."""

COUNTS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
"""Numbers of cards that people put together."""


def split(stack: Stack, *, offload: bool = False) -> Stack:
    """The stack that shares one model between cards: Axolotl in place of a trainer for one card."""
    trainer = "axolotl" if stack.trainer in ("unsloth", "trl") else stack.trainer
    away = (("offload", "params"),) if offload else ()
    return Stack(trainer, trainer, stack.changes + SHARDED + away)


def cards_that_hold(
    case: Case, stack: Stack, usable: int, *, least: int = 1, most: int = COUNTS[-1], **changes: Any
) -> int | None:
    """The smallest usual number of cards, `least` to `most`, that hold it when split; None where even the most do
    not, since each holds its own activations.
    """
    for count in COUNTS:
        if least <= count <= most:
            ways = {"n_gpus": count, "sharding": "fsdp" if count > 1 else "none", "offload": "none"}
            if case.fit(case.need(stack, **changes | ways), usable) in GOOD:
                return count
    return None


def smallest(case: Case, need: Need, fits: tuple[str, ...] = ("yes", "tight")) -> int | None:
    """The smallest size that holds a need; None when no single card does."""
    share = 1 if "tight" in fits else COMFORT_OF_CARD
    return next((gb for gb, usable in _usable_by_size(case.catalog) if need.device <= share * usable), None)


@lru_cache(maxsize=4)
def _usable_by_size(catalog: Catalog) -> tuple[tuple[int, int], ...]:
    """GB on the box and usable bytes, the smallest size first."""
    return tuple((gb, usable_of_size(gb, catalog)) for gb in SIZES)


def roomy(case: Case, need: Need) -> int | None:
    """The smallest size that holds a need with room to spare, which is what is recommended; the last may be tight."""
    return smallest(case, need, ("yes",)) or smallest(case, need)


def others(case: Case) -> list[dict[str, Any]]:
    """The further models of the question with the need of the leanest and of the last stack, their fits, and the
    smallest sizes with room for them.
    """
    made: list[dict[str, Any]] = []
    for name, slots in case.alternatives:
        try:
            lean, last = (case.need(stack, **slots) for stack in (case.stacks[0], case.stacks[-1]))
        except AdvisorError:
            continue
        held = {"fit": lean.fit, "stock_fit": last.fit, "minimum_gb": roomy(case, lean), "stock_gb": roomy(case, last)}
        made.append({"name": name, "lean": lean.device, "stock": last.device} | held)
    return made


def comfortable(case: Case, needs: tuple[Need, ...]) -> int | None:
    """The size with room for context and batch: every stack fits with a margin, and the seed's tier agrees.

    Never below the minimum: the seed's tier is a floor under the estimator's word, not a replacement for it.
    """
    by_need = max((smallest(case, need, ("yes",)) or 0 for need in needs), default=0)
    if not all(smallest(case, need, ("yes",)) for need in needs):
        return None
    by_seed = seed_tier(case)
    return max(by_need, by_seed or 0)


def seed_tier(case: Case) -> int | None:
    """GB of the seed's tier that names this model size as its own for QLoRA (two cards count together); None beyond."""
    if case.full or case.params is None:
        return None
    billions = case.params / BILLION
    for tier in sorted(case.catalog.tiers, key=lambda t: t.vram_gb or 0):
        ceiling = max(tier.params_b) * (TIGHT_IS_EASY_BELOW if tier.comfort == "tight" else ABOUT)
        if tier.vram_gb and billions <= ceiling:
            return int(tier.vram_gb)
    return None


def window(case: Case, needs: tuple[Need, ...], comfort: int = 0) -> tuple[int, ...]:
    """Three or four sizes around the needs, up to the comfortable one, so that a table shows where "no" turns into
    "yes".
    """
    lean = min((n.device for n in needs), default=0)
    most = max((n.device for n in needs), default=0)
    holds = [gb for gb in COMMON if case.usable_of_size(gb) * COMFORT_OF_CARD >= most and gb >= comfort]
    last = COMMON.index(holds[0]) if holds else len(COMMON) - 1
    first = next((i for i, gb in enumerate(COMMON) if case.usable_of_size(gb) >= lean), len(COMMON) - 1)
    start = max(0, min(first - 1, last - 2))
    return COMMON[max(start, last - 3) : last + 1]

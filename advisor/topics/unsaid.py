"""What the other methods take where nobody said how it is trained: one row each, with how many such cards hold it.

Facts of a row: those of method_choice's rows (`split` only where one card does not hold it), and `several`: how many of
the asker's kind of card hold it together, split, where those at hand do not, and `each`: bytes on each of them. A batch
that does not fit is counted as 1 (`batch_one`).
"""

from typing import Any

from advisor.case import Case
from advisor.refused import four_bit_runs
from advisor.stacks import FOUR_BIT, FULL_ADAMW, GOOD, UNSLOTH
from advisor.tiers import (
    cards_that_hold,
    split,
)
from advisor.topics.method_choice.ways import Way, row, ways
from advisor.topics.sizes import METHODS

IN_A_MACHINE = 8
"""Cards of a server."""
AT_HOME = 4
"""Cards of a kind that stand in one machine outside a server."""


def every_way(case: Case) -> list[dict[str, Any]]:
    """QLoRA, LoRA and every weight, with 8-bit and with plain AdamW."""
    return [_told(case, way) for way in _usual(case)]


def every_weight_fit(case: Case) -> str:
    """How every weight in training, at the leanest, stands to the cards."""
    return next(str(_told(case, way)["fit"]) for way in _usual(case) if way.family == "full")


def other_ways(case: Case) -> list[dict[str, Any]]:
    """The methods beside the assumed one: adapters, then every weight at the leanest; none where a method is named."""
    if not case.method_unsaid or case.usable is None or case.apple:
        return []
    told = [way for way in _usual(case) if way.family != case.method and way.code != FULL_ADAMW.code]
    return [_told(case, way) for way in told if way.family not in FOUR_BIT or four_bit_runs(case)]


def _usual(case: Case) -> list[Way]:
    stack = case.stacks[0] if case.query.trainer and not case.arm_board else UNSLOTH
    found = [way for way in ways(case, stack) if way.family in METHODS]
    one = {"micro_batch": 1} if case.batch_too_large else {}
    return [way._replace(values=way.values | one) for way in found] if one else found


def _told(case: Case, way: Way) -> dict[str, Any]:
    made = row(case, way)
    made.pop("need")
    if made["alone"] == "yes":
        made["split"] = None  # a copy on each is enough
    elif made["split"] is not None:
        made["fit"] = made["split_fit"]
    made["batch_one"] = case.batch_too_large
    several = _several(case, way) if made["fit"] not in GOOD else None
    shared = {"n_gpus": several, "sharding": "fsdp", "offload": "none"}
    each = case.need(split(way.stack), **way.values | shared).device if several else None
    return made | {"several": several, "each": each}


def _several(case: Case, way: Way) -> int | None:
    """How many of the asker's cards hold it when split, more than those at hand."""
    if case.usable is None or (case.gpu is not None and case.gpu.segment == "laptop"):
        return None
    most = IN_A_MACHINE if case.gpu is not None and case.gpu.segment == "datacenter" else AT_HOME
    return cards_that_hold(case, split(way.stack), case.usable, least=case.n_cards + 1, most=most, **way.values)

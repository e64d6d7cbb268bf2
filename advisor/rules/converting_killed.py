"""A conversion of a checkpoint that the kernel ended: it holds the model in the old and in the new format.

Source: ms-swift, Megatron-SWIFT (test_convert_precision compares both models); ms-swift#5033 (about 1.3 TB for a 235B).
"""

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.tiers import split

ON = ("converts",)
COPY, WIDE = 2, 4
"""Bytes of a weight in 16 bit, and in the fp32 that a comparison takes."""
ROOM = 0.75
"""Share of a card that split weights may fill, so that adapters are trained beside them."""


def check(case: Case) -> Finding | None:
    """Say what the conversion holds, and what less of it would be."""
    if not {"converts", "killed"} <= case.symptoms or not case.params:
        return None
    trained, shard = None, None
    if case.n_cards > 1 and case.usable is not None and case.query.trainer == "megatron":
        shard = COPY * case.params // case.n_cards  # no layer is gathered whole
    elif case.n_cards > 1 and case.usable is not None:
        need = case.need(split(case.stacks[0]), sharding="fsdp")
        trained = [need.device, need.fit]
    return stop(
        model=case.model_name,
        twice=2 * COPY * case.params,
        compared=(COPY + WIDE) * case.params,
        ram_gb=case.query.ram_gb,
        trained=trained,
        shard=shard if shard is not None and shard < ROOM * (case.usable or 0) and not case.full else None,
        usable=case.usable,
    )

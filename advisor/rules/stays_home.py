"""Data that must not leave the house: the nearest way at home, and what renting with privacy means.

Source: estimator; Answer.AI, FSDP-QLoRA (70B on two 24 GB cards); GDPR Art. 28 and 32.
"""

from typing import Any

from advisor.advice import Finding, stop
from advisor.case import Case
from advisor.stacks import (
    GOOD,
    LARGEST_AT_HOME,
    LORA_RANK,
    LORA_TARGETS,
    UNSLOTH,
)
from advisor.tiers import split
from advisor.verdicts import FITS

HOMES = ((24, 1), (32, 1), (24, 2), (48, 1), (32, 2), (48, 2), (96, 1), (96, 2))
"""(GB on the box, number of cards) of machines that stand at home or in an office, the cheapest first."""
AT_HOME = FITS | {"tiers"}
"""Verdicts by which it trains at home anyway."""
HOME_GB, PAIR_GB = 48, 32
COSTLY = True

ON = ("stays_home",)


def check(case: Case) -> Finding | None:
    """Data that must not leave the house: the nearest way at home, and what renting with privacy means."""
    if "stays_home" not in case.symptoms or case.advice is None:
        return None
    if not case.sized and case.query.budget:
        return None  # what is bought stands at home
    least = case.advice.verdict.facts.get("minimum_gb") or 0
    if case.sized and case.advice.verdict.code in AT_HOME and least <= HOME_GB:
        return None
    nearest = _nearest(case) if case.sized else None
    facts = nearest or {"gb": None, "count": None, "device": None, "ram": None, "offload": False}
    pair = _held(case, 24, 2, offload=True) if nearest and nearest["count"] == 1 and nearest["gb"] > PAIR_GB else None
    return stop(**facts, pair=pair["device"] if pair else None)


def _nearest(case: Case) -> dict[str, Any] | None:
    """The cheapest machine that holds it with QLoRA: one card, several that split it, then with offload to RAM."""
    for offload in (False, True) if (case.params or 0) <= LARGEST_AT_HOME else (False,):
        for gb, count in HOMES:
            if (count > 1 or not offload) and (found := _held(case, gb, count, offload=offload)):
                return found
    return None


def _held(case: Case, gb: int, count: int, *, offload: bool) -> dict[str, Any] | None:
    """What QLoRA takes on so many cards of a size, None where they do not hold it."""
    slots: dict[str, Any] = {"method": "qlora", "weight_bits": None, "quant": None, "optimizer": None, "autocast": None}
    slots |= {"lora_rank": case.query.lora_rank or LORA_RANK, "lora_targets": case.query.lora_targets or LORA_TARGETS}
    stack, sharding = (UNSLOTH, "none") if count == 1 else (split(UNSLOTH, offload=offload), "fsdp")
    need = case.need(stack, **slots, n_gpus=count, sharding=sharding, offload="params" if offload else "none")
    if case.fit(need, case.usable_of_size(gb)) not in GOOD:
        return None
    return {"gb": gb, "count": count, "device": need.device, "ram": need.host_ram, "offload": offload}

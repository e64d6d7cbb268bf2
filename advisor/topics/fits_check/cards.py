"""The same on other cards: a copy on each, QLoRA on one of them, more of the kind, or a larger server card."""

from typing import Any

from advisor.advice import Need
from advisor.case import Case
from advisor.estimator import usable_bytes
from advisor.estimator.sharding import SHARDED
from advisor.parallel import qlora_alone
from advisor.stacks import ALONE, GOOD, short_name
from advisor.tiers import cards_that_hold, split
from advisor.topics.multi_gpu import shared_stack

PAIR = 2


def copied(case: Case) -> int | None:
    """Bytes of a copy per card (DDP), where we count a split because only that fits."""
    offloaded = case.query.offload not in (None, "none")
    if case.n_cards == 1 or case.query.sharding or case.sharding not in SHARDED or case.apple or offloaded:
        return None
    copy = case.need(case.stacks_of_one[0], n_gpus=case.n_cards, sharding="ddp")
    return None if copy.fit in GOOD else copy.device


def plainest_split(case: Case, worst: Need) -> Need | None:
    """The plainest stack split over the asker's cards, where all weights are trained and a copy on each is too much."""
    if not case.full or case.n_cards == 1 or case.query.sharding or case.sharding in SHARDED or worst.fit in GOOD:
        return None
    need = case.need(split(case.stacks[-1]), n_gpus=case.n_cards, sharding="fsdp")
    return need if need.fit in GOOD else None


def eight_bit_alone(case: Case) -> int | None:
    """Bytes of LoRA on an 8-bit base on one of the asker's cards, where in 16 bit it wants them all."""
    if qlora_alone(case) is None:
        return None
    slots: dict[str, Any] = {"method": "lora", "weight_bits": 8.0, **ALONE}
    need = case.need(case.stacks_of_one[-1], **slots)
    return need.device if need.fit in GOOD else None


def eight_bit_instead(case: Case, best: Need) -> int | None:
    """Bytes of LoRA on an 8-bit base on the one card, where 16 bit does not fit it and nobody named the bits."""
    if case.method != "lora" or case.query.weight_bits or case.n_cards > 1 or best.fit in GOOD:
        return None
    if case.vendor != "nvidia" and case.gpu is not None:
        return None  # bitsandbytes
    need = case.need(case.stacks[-1], method="lora", weight_bits=8.0, compute_dtype=None)
    return need.device if need.fit in GOOD else None


def several(case: Case, best: Need) -> int | None:
    """How many of the asker's server cards hold it when split, where one does not; of other cards whether a second one
    does, where one is spoken of.
    """
    gpu = case.gpu
    if gpu is None or case.n_cards > 1 or best.fit in GOOD or case.apple:
        return None
    if gpu.segment == "datacenter":
        return cards_that_hold(case, shared_stack(case), case.usable or 0, least=PAIR)
    if case.query.n_gpus != 1 or case.query.method is None or gpu.vendor != "nvidia":
        return None
    return cards_that_hold(case, shared_stack(case), case.usable or 0, least=PAIR, most=PAIR)


def larger(case: Case, best: Need) -> dict[str, Any] | None:
    """The smallest server card that holds it, where the asker's server card does not."""
    if case.gpu is None or case.gpu.segment != "datacenter" or best.fit in GOOD:
        return None
    held = [
        gpu
        for gpu in case.catalog.gpus.values()
        if gpu.segment == "datacenter" and gpu.vendor == "nvidia" and gpu.supports.bf16
        and case.fit(best, usable_bytes(gpu)) in GOOD
    ]  # fmt: skip
    least = min(held, key=lambda gpu: (gpu.vram_gb, gpu.tdp_w or 0), default=None)
    return {"name": short_name(least), "vram_gb": least.vram_gb} if least else None

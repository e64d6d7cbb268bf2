"""What an answer on system RAM says of the cards: what stays on them, and whether they hold it without offload."""

from dataclasses import replace
from typing import Any

from advisor.advice import Need
from advisor.case import Case
from advisor.estimator.host_ram import host_ram
from advisor.stacks import FULL_ADAMW, GOOD, Stack
from advisor.tiers import (
    cards_that_hold,
    smallest,
    split,
)
from advisor.topics.inference_only import cards_to_serve
from advisor.topics.sizes import trains
from advisor.topics.which_gpu import cards_that_share

STAYS = ("activations", "logits", "temporaries", "gathered")
"""Parts of the estimate that offloading leaves on the card."""
FSDP = frozenset({"fsdp", "fsdp2"})
ROOMY_GB = 80
FEW = 2
"""Cards of which all are wanted anyway."""
PACKS = frozenset({"killed", "load"})
WHOLE: dict[str, Any] = {"method": "lora", "weight_bits": None, "quant": None}
"""The same with weights in 16 bit."""
EVERY: dict[str, Any] = {"method": "full", "sharding": "fsdp", "offload": "none", "weight_bits": None}
"""All weights, split over the cards."""
SPLITS_IN_BF16 = "axolotl"
"""A trainer with FSDP2, whose shards may stay in bf16; DeepSpeed and the first FSDP keep fp32 masters of all."""
NVME_BYTES = 8
"""Bytes of RAM per parameter that go through it where the states lie on a drive: 16-bit weights while loading, fp32
gradients, pinned buffers.

ZeRO-Infinity (arXiv:2104.07857), sec. 5; DeepSpeed, offload_param and offload_optimizer (buffer_count, pin_memory).
"""


def beside(case: Case, plan: Any, code: str, machines: int, ranks_away: dict[str, Any]) -> dict[str, Any]:
    """The card, what stays on the card, a smaller checkpoint; `ranks_away` are the slots of the offloaded run."""
    parts = case.plain.components
    sharded = plan.method == "qlora" and plan.sharding in FSDP and plan.quant not in ("gptq", "awq")
    on_disk = code == "disk" and case.full
    return {
        **case.where,
        "load_4": host_ram(replace(plan, quant="gptq")).total // machines if sharded else None,
        "load_bits": case.lean.components.get("weights") if code in PACKS and _packed(case, sharded) else None,
        "no_bf16": case.no_bf16,
        "whole": _told(case, case.need(case.stacks[0], **WHOLE)) if code == "load" and not case.full else None,
        "merges_in": case.gap("unsloth") is None,
        "least_cards": _least_cards(case) if code == "plan" else None,
        "stays": sum(parts.get(name, 0) for name in STAYS),
        "full": case.full,
        "states": case.full or (case.query.method is None and code != "merge"),
        "lean": case.lean.device,
        "alone_gb": smallest(case, case.lean),
        "alone_tight": smallest(case, case.lean, ("yes",)) != smallest(case, case.lean),
        "cards_80": cards_that_share(case) if on_disk else None,
        "roomy_80": _with_plain_adamw(case) if on_disk else None,
        "away": _away(case) if code in ("plan", "killed") else None,
        "offloaded": _offloaded(case, ranks_away) if code == "offload" else None,
        "on_cards": _on_cards(case) if code in ("offload", "killed") else None,
        "in_full": _in_full(case) if code == "killed" else None,
        "kept": _kept(case) if code == "killed" else None,
        "batch_one": _batch_one(case) if code == "killed" else None,
        "fit": case.lean.fit,
        "serves": _serves(case) if code == "plan" else None,
        "trains": trains(case) if code == "plan" and case.lean.fit == "no" else None,
    }


def _least_cards(case: Case) -> int | None:
    """How many of several cards hold it when split, where fewer do than there are."""
    if case.n_cards <= FEW or case.usable is None or case.lean.fit not in GOOD:
        return None
    count = cards_that_hold(case, split(case.stacks[0]), case.usable)
    return count if count and count < case.n_cards else None


def _packed(case: Case, sharded: bool) -> bool:
    """The run is in 4 bit, and reads weights in 16 bit only to pack them."""
    return case.method == "qlora" and not sharded and case.query.quant is None and case.n_cards == 1


def _serves(case: Case) -> int | None:
    """How many 80 GB cards only running it in 16 bit takes, where that is more than one."""
    cards = cards_to_serve(case)
    return cards if cards > 1 else None


def _told(case: Case, need: Need) -> dict[str, Any] | None:
    return {"device": need.device, "fit": case.fit(need, case.usable)} if case.usable is not None else None


def _away(case: Case) -> dict[str, Any] | None:
    """What each of several cards holds with the parameters in system RAM, where it does not fit otherwise."""
    if case.n_cards < 2 or case.usable is None or case.lean.fit in GOOD:
        return None
    return _told(case, case.need(split(case.stacks[0], offload=True), n_gpus=case.n_cards, sharding="fsdp"))


def _offloaded(case: Case, ranks_away: dict[str, Any]) -> dict[str, Any] | None:
    """What the card keeps; whole weights are offloaded by ZeRO where nobody says otherwise."""
    zero: dict[str, Any] = {}
    if case.full and case.query.sharding is None:
        zero = {"sharding": "zero3", "offload": case.setup.offload}  # as the RAM is counted
    return _told(case, case.need(case.stacks[-1], **(ranks_away | zero)))


def _on_cards(case: Case) -> dict[str, Any] | None:
    """All weights with an 8-bit optimizer and nothing in RAM, where the cards hold that."""
    if not case.full or case.usable is None:
        return None
    lean, shared = case.lean_full, case.n_cards > 1
    stack = Stack(lean.code, SPLITS_IN_BF16 if shared else lean.trainer, lean.changes)
    need = case.need(stack, offload="none", sharding="fsdp2" if shared else "none", **dict(lean.changes))
    return _told(case, need) if case.fit(need, case.usable) in GOOD else None


def _kept(case: Case) -> dict[str, Any] | None:
    """All weights with AdamW, split and with nothing in RAM, where an offloaded run died and the cards hold that."""
    if not case.full or case.n_cards < 2 or case.usable is None or case.query.offload in (None, "none"):
        return None
    need = case.need(split(FULL_ADAMW), **EVERY)
    return _told(case, need) if case.fit(need, case.usable) in GOOD else None


def _in_full(case: Case) -> dict[str, Any] | None:
    """With all weights and AdamW, split: where nobody said how it is trained, and several cards may be too few."""
    if case.query.method is not None or case.full or case.n_cards < 2 or case.usable is None:
        return None
    return _told(case, case.need(split(FULL_ADAMW), **EVERY))


def _batch_one(case: Case) -> dict[str, Any] | None:
    """A stated batch that the cards do not hold: the same run at batch 1, and all weights with AdamW."""
    if not case.batch_too_large:
        return None
    every = case.need(split(FULL_ADAMW), **EVERY, micro_batch=1) if _in_full(case) else None
    lean = _told(case, case.need(case.stacks[0], micro_batch=1))
    return {"batch": case.micro_batch, "lean": lean, "full": every and _told(case, every)}


def _with_plain_adamw(case: Case) -> int | None:
    """How many 80 GB cards hold all weights with plain AdamW, split."""
    return cards_that_hold(case, split(FULL_ADAMW), case.usable_of_size(ROOMY_GB), least=2)


def through_ram(case: Case, code: str) -> int:
    """Bytes that go through RAM in a run of all weights that the kernel ended though its states lie on a drive."""
    nvme = code == "killed" and case.full and case.query.offload == "nvme"
    return NVME_BYTES * (case.params or 0) if nvme else 0


def copies_run_out(case: Case) -> bool:
    """Several processes died of the stated RAM while loading: by their copies, also where no "Killed" is told."""
    told = "oom_load" in case.symptoms and case.query.ram_gb is not None and case.sized and case.n_cards > 1
    return told and case.query.offload in (None, "none") and "oom_gpu" not in case.symptoms

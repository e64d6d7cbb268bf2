"""How many cards: the smallest usual number that holds a model when it is split."""

from typing import Any

from advisor.advice import Advice, Need, Verdict
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import (
    FULL_8BIT,
    FULL_ADAMW,
    GOOD,
    MASTER_8BIT,
    PURE_BF16,
    UNSLOTH,
    Stack,
)
from advisor.tiers import (
    COUNTS,
    cards_that_hold,
    smallest,
)

SPLIT_FULL = Stack("axolotl", "axolotl", FULL_8BIT.changes)
"""All weights with 8-bit AdamW, split over the cards."""
SPLIT_ADAMW = Stack("axolotl", "axolotl", FULL_ADAMW.changes)
"""The same with AdamW in mixed precision."""
CLUSTER_GB = 80
"""The size of card that clusters are made of."""
ALL_WEIGHTS: dict[str, Any] = {"method": "full", "weight_bits": None, "quant": None}


MOST_SPLIT = 64
"""Cards beyond which a mixture of experts is trained with expert parallelism."""
AT_HOME_CARDS = 4
"""Cards of 80 GB and the like from which a model is nothing for home."""


def shared_stack(case: Case) -> Stack:
    """The stack that several cards run: the stated trainer, or plain PyTorch with a fused loss as Axolotl sets it
    up.
    """
    if case.query.trainer and case.query.trainer != "unsloth":
        return case.stacks[0]
    if case.full and case.no_bf16:
        return Stack("axolotl", "axolotl", MASTER_8BIT.changes)
    eight_bit = case.full and "8bit" in (case.query.optimizer or "") and not case.keeps_fp32
    return Stack("axolotl", "axolotl", PURE_BF16.changes if eight_bit else ())


def cards_of_80(case: Case, stack: Stack) -> int | None:
    """How many 80 GB cards hold it when split; None beyond 256."""
    return cards_that_hold(case, stack, case.usable_of_size(80))


def lean_split(case: Case) -> int | None:
    """Bytes per card of all weights with 8-bit AdamW, split, where the cards hold that without offload."""
    if not case.full or case.query.optimizer or case.no_bf16 or case.usable is None:
        return None
    if case.query.offload not in (None, "none"):
        return None  # who offloads asks for that
    need = case.need(SPLIT_FULL, sharding="fsdp", offload="none")
    return need.device if need.fit in GOOD else None


def how_many(case: Case, stack: Stack) -> Advice:
    """One kind of card without a number, or none named: how many of them, or of 80 GB, hold it when split."""
    usable = case.usable or case.usable_of_size(CLUSTER_GB)
    if case.full and not (case.query.trainer or case.query.optimizer):
        stack = SPLIT_FULL
    count = cards_that_hold(case, stack, usable)
    need = case.need(stack, n_gpus=count or COUNTS[-1], sharding="fsdp" if count != 1 else "none", offload="none")
    facts: dict[str, Any] = {
        **case.where,
        "count": count,
        "card_gb": case.where["card_gb"] or CLUSTER_GB,
        "usable": usable,
        "per_card": need.device,
        "tight": case.fit(need, usable) == "tight",
        "weights_16": 2 * (case.params or 0),
        "names": [],
        "alone": case.lean.device,
        "beyond_home": bool(count and count > AT_HOME_CARDS),
        "just_held": -(-2 * (case.params or 0) // usable),
        "gathered": need.components.get("gathered", 0) if need.device < case.lean.device else 0,
        **_shared_out(need, case.params or 0, count or COUNTS[-1]),
        "moe": case.model is not None and case.model.moe is not None,
        "full": case.full,
        "full_count": _all_weights(case, usable, count or COUNTS[-1]),
        "adamw_count": cards_that_hold(case, SPLIT_ADAMW, usable, **ALL_WEIGHTS) if case.full else None,
    }
    if case.full:
        four_bit = case.need(UNSLOTH, method="qlora", weight_bits=None, quant=None, optimizer="adamw_8bit", n_gpus=1)
        facts |= {"qlora": four_bit.device, "qlora_gb": smallest(case, four_bit)}
    return Advice(
        kind=Kind.MULTI_GPU,
        query=case.query,
        verdict=Verdict(code="how_many", facts=facts),
        setup=case.setup,
        needs=(need.model_copy(update={"stack": "fsdp", "fit": case.fit(need, usable)}),),
        asks=None if case.usable else "gpus",
        offers=("method=lora", "method=full", "kind=cost_buy_vs_rent", "show=why"),
    )


def _all_weights(case: Case, usable: int, least: int) -> int | None:
    """How many cards hold all weights when split; None for so many that experts have to be shared out instead."""
    count = cards_that_hold(case, SPLIT_FULL, usable, least=least, **ALL_WEIGHTS)
    experts = case.model is not None and case.model.moe is not None
    return None if experts and count and count > MOST_SPLIT else count


def _shared_out(need: Need, params: int, count: int) -> dict[str, Any]:
    """A card's part of the weights, what a step adds, and the bits that a weight takes: of experts more than asked."""
    share, step = need.components.get("weights", 0), ("activations", "temporaries", "logits")
    bits = round(8 * share * count / params) if params else None
    return {"share": share, "bits": bits, "step": sum(need.components.get(name, 0) for name in step)}

"""Several cards: what each of them holds when the model is copied, split, or split and offloaded."""

from dataclasses import dataclass
from typing import Any

from advisor.advice import Need
from advisor.case import Case
from advisor.estimator.sharding import SHARDED
from advisor.stacks import ALONE, GOOD, UNSLOTH, Stack

LONG = 8192
"""Tokens from which it is worth a line to share a sequence between cards."""
WAYS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ddp", {"sharding": "ddp", "offload": "none"}),
    ("zero2", {"sharding": "zero2", "offload": "none"}),
    ("fsdp", {"sharding": "fsdp", "offload": "none"}),
    ("fsdp_offload", {"sharding": "fsdp", "offload": "params"}),
)
"""(code, changes): a copy per card; gradients and optimizer split (worth a line where all weights train); all split;
split with parameters in system RAM.
"""
SPEED_FIRST = ("ddp", "zero2", "hybrid", "fsdp", "sequence", "fsdp_offload")
"""Ways in the order of speed: take the first that fits."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to use the cards and what each card then holds."""

    code: str
    need: Need


def ways(case: Case, stack: Stack, n_gpus: int, **slots: Any) -> tuple[Way, ...]:
    """The ways for so many cards, per card; `slots` may change the model."""
    return tuple(
        Way(code, case.need(stack, **{"n_gpus": n_gpus} | changes | slots).model_copy(update={"stack": code}))
        for code, changes in (*WAYS[:2], *hybrid(case, n_gpus), WAYS[2], *shared_sequence(case, n_gpus), WAYS[-1])
        if code != "zero2" or case.full
    )


def qlora_alone(case: Case) -> int | None:
    """Bytes of QLoRA on one of the asker's cards, where LoRA wants them all to share the model."""
    if case.method != "lora" or case.sharding not in SHARDED or case.query.weight_bits or case.usable is None:
        return None
    if case.query.compute_dtype:
        return None  # "LoRA in bf16": who says so means the base as well
    slots: dict[str, Any] = {"method": "qlora", **ALONE, "optimizer": "adamw_8bit"}
    need = case.need(case.stacks_of_one[0], **slots)
    return need.device if need.fit in GOOD else None


def layered(case: Case) -> Need | None:
    """What adapters take per card, laid over several layer by layer with Unsloth: where that fits, no shard is gathered
    whole, but the cards take turns. None where something else is said, or it does not fit either.

    Source: Unsloth documentation, "Multi-GPU" (device_map="balanced"); facts/trainers: unsloth.
    """
    query = case.query
    named = query.sharding or query.trainer not in (None, "unsloth") or query.offload not in (None, "none")
    apart = case.n_cards < 2 or (query.nodes or 1) > 1 or (case.model is not None and case.model.moe is not None)
    if case.full or apart or named or case.usable is None or query.weight_bits == 8:
        return None
    if UNSLOTH not in case.stacks_of_one or any(gpu.vendor != "nvidia" for gpu in case.gpus):
        return None
    need = case.need(UNSLOTH, n_gpus=case.n_cards, sharding="pipeline", offload="none")
    return need if need.fit in GOOD else None


def only_layered(case: Case) -> bool:
    """Several cards that hold adapters so, and neither alone nor as FSDP splits them."""
    if not case.sized or qlora_alone(case) is not None or (need := layered(case)) is None:
        return False
    others = (case.need(case.stacks[0], n_gpus=case.n_cards, sharding=way, offload="none") for way in ("none", "fsdp"))
    return need.fit in GOOD and all(other.fit not in GOOD for other in others)


def hybrid(case: Case, n_gpus: int) -> tuple[tuple[str, dict[str, Any]], ...]:
    """Of several machines: split inside each, copied between them, so that no weights cross the network.

    Source: PyTorch documentation, ShardingStrategy.HYBRID_SHARD; DeepSpeed, ZeRO++ (hpZ), arXiv:2306.10209.
    """
    nodes = case.query.nodes or 1
    if nodes < 2 or n_gpus % nodes or n_gpus // nodes < 2:
        return ()
    return (("hybrid", {"sharding": "fsdp", "offload": "none", "n_gpus": n_gpus // nodes}),)


def shared_sequence(case: Case, n_gpus: int) -> tuple[tuple[str, dict[str, Any]], ...]:
    """Sequence parallelism, where sequences are long: each card holds its share of the tokens, the weights are split.

    Source: the exchange of keys and values is small beside activations and logits (Ring Attention, arXiv:2310.01889).
    """
    if case.seq_len < LONG or n_gpus < 2:
        return ()
    return (("sequence", {"sharding": "fsdp", "offload": "none", "seq_len": case.seq_len // n_gpus}),)


def eight_bit_unsplit(case: Case) -> bool:
    """An 8-bit base on several cards, none of which holds it whole: FSDP and ZeRO-3 shard bitsandbytes' 4 bit only.

    Source: bitsandbytes documentation, "FSDP-QLoRA"; PEFT documentation, "FSDP".
    """
    query = case.query
    if query.weight_bits != 8 or query.quant or case.n_cards < 2 or case.usable is None or not case.sized:
        return False
    if query.sharding not in (None, *SHARDED) or (case.full and query.sources.get("method") != "assumed"):
        return False
    return case.need(UNSLOTH, method="lora", n_gpus=1, sharding="none", offload="none").fit not in GOOD

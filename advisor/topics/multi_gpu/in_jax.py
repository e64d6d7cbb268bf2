"""Several cards in JAX, where only one works unless the arrays are sharded; what one card takes in PyTorch instead."""

from typing import Any

from advisor.advice import Advice, Verdict
from advisor.case import Case
from advisor.query import Kind
from advisor.stacks import ALL_ON_ONE, FULL_ADAMW, UNSLOTH
from advisor.topics.usual import ADAPTERS

PLAIN: dict[str, Any] = {**ALL_ON_ONE, "weight_bits": None, "quant": None}


def in_jax(case: Case) -> Advice:
    """All weights in any framework, LoRA and QLoRA on one card in PyTorch, each with its verdict."""
    ways = {
        "full": case.need(FULL_ADAMW, method="full", **PLAIN),
        "lora": case.need(UNSLOTH, method="lora", **PLAIN, **ADAPTERS),
        "qlora": case.need(UNSLOTH, method="qlora", **PLAIN, **ADAPTERS),
    }
    facts: dict[str, Any] = {**case.where, **{name: [need.device, need.fit] for name, need in ways.items()}}
    facts["stack"] = ways["qlora"].stack
    return Advice(
        kind=Kind.MULTI_GPU,
        query=case.query,
        verdict=Verdict(code="jax", facts=facts),
        setup=case.setup.model_copy(update={"n_gpus": 1, "sharding": "none"}),
        needs=(ways["lora"], ways["qlora"]),
        offers=("method=lora", "n_gpus=1", "show=why", "show=config"),
    )

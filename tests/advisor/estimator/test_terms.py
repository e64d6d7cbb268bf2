"""Terms that are worked out once for a set-up hold at every length, batch and accumulation."""

from dataclasses import replace

import pytest

from advisor.estimator.estimate import estimate_plan
from advisor.estimator.resolve import resolve
from advisor.query import SetUp
from knowledge.catalog import load_catalog

SET_UPS = [
    {"trainer": "unsloth", "method": "qlora"},
    {"trainer": "hf", "method": "lora", "attention": "eager", "lora_targets": ("q", "v")},
    {"trainer": "hf", "method": "qlora", "attention": "eager", "kbit_prepare": True, "autocast": True},
    {"trainer": "hf", "method": "full", "attention": "eager", "autocast": True},
    {"trainer": "deepspeed", "method": "full", "n_gpus": 4, "sharding": "zero3", "offload": "params"},
    {"trainer": "hf", "method": "qlora", "n_gpus": 2, "sharding": "fsdp"},
    {"trainer": "hf", "method": "lora", "grad_checkpointing": False, "algorithm": "grpo"},
    {"method": "lora", "optimizer": "paged_adamw_8bit", "packing": True},
]
LENGTHS = [(512, 1, 1), (4096, 1, 8), (2048, 4, 1), (32768, 2, 2)]


@pytest.mark.parametrize("slots", SET_UPS)
@pytest.mark.parametrize("model", ["meta-llama/Llama-3.1-8B", "gpt2", "mistralai/Mixtral-8x7B-v0.1"])
def test_remembered_terms_are_those_of_a_plan_of_its_own(slots: dict[str, object], model: str) -> None:
    """A plan made anew has no remembered terms."""
    for seq_len, micro_batch, grad_accum in LENGTHS:
        lengths = {"seq_len": seq_len, "micro_batch": micro_batch, "grad_accum": grad_accum}
        plan = resolve(SetUp(model=model, **lengths, **slots), load_catalog())  # type: ignore[arg-type]
        alone = replace(plan, assumed=plan.assumed)
        assert not alone.terms
        found, expected = estimate_plan(plan), estimate_plan(alone)
        assert found._replace(plan=alone) == expected


def test_a_changed_plan_forgets_the_terms() -> None:
    """Wider adapters on the same plan are not those that were worked out before."""
    plan = resolve(SetUp(params_b=7, method="lora", lora_rank=8), load_catalog())
    assert estimate_plan(plan).allocated < estimate_plan(replace(plan, rank=256, adapters=plan.adapters * 32)).allocated

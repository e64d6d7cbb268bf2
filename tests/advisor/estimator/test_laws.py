"""Laws of the arithmetic: asking for more never costs less, parts make up the whole, and the like."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.estimator import estimate_plan, experts, resolve
from advisor.estimator.adapters import lora_params
from advisor.estimator.backward import layer_temporary_bytes
from advisor.estimator.masks import mask_bytes
from advisor.estimator.moments import moments
from advisor.query import SetUp
from knowledge.catalog import load_catalog

CATALOG = load_catalog()
TRAINERS = ["trl", "unsloth", "axolotl", "llama-factory", "ms-swift", "litgpt", "torchtune", "deepspeed", "fsdp_qlora"]
PLAIN_OPTIMIZERS = ["adamw", "adamw_fused", "sgd", "adafactor", "lion"]
MODELS = [
    "Qwen/Qwen2.5-0.5B",
    "meta-llama/Llama-3.2-3B",
    "meta-llama/Llama-2-7b-hf",
    "google/gemma-2-9b",
    "microsoft/phi-4",
    "Qwen/Qwen3-30B-A3B",
    "tiiuae/falcon-7b",
    "meta-llama/Llama-3.3-70B-Instruct",
]

setups = st.builds(
    SetUp,
    model=st.sampled_from(MODELS),
    method=st.sampled_from(["full", "lora", "qlora"]),
    seq_len=st.integers(16, 40_000),
    micro_batch=st.integers(1, 16),
    grad_accum=st.sampled_from([1, 4]),
    grad_checkpointing=st.sampled_from([None, True, False, "unsloth"]),
    attention=st.sampled_from([None, "flash", "sdpa", "efficient", "eager"]),
    optimizer=st.sampled_from(PLAIN_OPTIMIZERS),
    lora_rank=st.integers(1, 256),
    lora_targets=st.sampled_from(["all-linear", "qv", "attention", "mlp"]),
    lora_dropout=st.sampled_from([None, 0.0, 0.1]),
    trainer=st.sampled_from(TRAINERS),
    loss=st.sampled_from([None, "hf", "hf_old", "inplace", "fused", "triton", "chunked"]),
    algorithm=st.sampled_from([None, "dpo", "grpo", "reward"]),
    n_gpus=st.sampled_from([1, 2, 8]),
    sharding=st.sampled_from([None, "ddp", "zero2", "zero3", "fsdp", "pipeline"]),
    gpu=st.sampled_from([None, "RTX 4090", "A100 80GB", "Tesla T4"]),
)
plans = setups.map(lambda setup: resolve(setup, CATALOG))


def counters(plan):
    found = estimate_plan(plan)
    return found.allocated, found.reserved, found.device


def never_less(larger, smaller, slack=2):
    assert all(a >= b - slack for a, b in zip(counters(larger), counters(smaller), strict=True))


@given(plan=plans, more=st.integers(1, 4_096))
def test_a_longer_context_never_costs_less(plan, more):
    never_less(replace(plan, seq_len=plan.seq_len + more), plan)


@given(plan=plans, more=st.integers(1, 8))
def test_a_larger_batch_never_costs_less(plan, more):
    never_less(replace(plan, micro_batch=plan.micro_batch + more), plan)


@given(plan=plans, more=st.integers(1, 64))
def test_a_higher_rank_never_costs_less(plan, more):
    rank = plan.rank + more if plan.method != "full" else 0
    adapters = lora_params(plan.shape, plan.targets, rank)
    never_less(replace(plan, rank=rank, adapters=adapters), plan)


@given(plan=plans, more=st.integers(1, 40))
def test_more_layers_never_cost_less(plan, more):
    shape = plan.shape
    layers = shape.layers + more
    factor = layers / shape.layers
    deeper = replace(shape, layers=layers, linear_params=int(shape.linear_params * factor))
    adapters = lora_params(deeper, plan.targets, plan.rank) if plan.method != "full" else 0
    never_less(replace(plan, shape=deeper, adapters=adapters), plan)


ALLOCATOR_BLOCK = 512
"""Bytes: the caching allocator hands out nothing smaller, and tensors of a few tokens are."""


@given(plan=plans)
def test_checkpointing_never_costs_more_than_none(plan):
    without, layer, offload = (replace(plan, checkpointing=kind) for kind in ("none", "layer", "offload"))
    again = max(0.0, layer_temporary_bytes(layer) - layer_temporary_bytes(without))  # decides with a few tokens only
    kept = ALLOCATOR_BLOCK + mask_bytes(plan) + again
    assert estimate_plan(layer).allocated <= estimate_plan(without).allocated + kept
    assert estimate_plan(offload).allocated <= estimate_plan(layer).allocated + ALLOCATOR_BLOCK


@given(setup=setups)
def test_four_bit_weights_are_smaller_than_sixteen(setup):
    quantised = estimate_plan(resolve(setup.model_copy(update={"method": "qlora"}), CATALOG))
    plain = estimate_plan(resolve(setup.model_copy(update={"method": "lora"}), CATALOG))
    widened = quantised.plan.kbit and (  # k-bit preparation widens what is not quantised
        setup.model == "Qwen/Qwen2.5-0.5B" or (plain.plan.shape.experts and not experts.quantised(quantised.plan))
    )
    if plain.components["weights"] and not widened:
        assert quantised.components["weights"] < plain.components["weights"]


@given(plan=plans)
def test_the_parts_sum_to_the_whole_at_the_named_moment(plan):
    found = estimate_plan(plan)
    assert sum(found.components.values()) == found.allocated
    assert abs(sum(moments(plan)[found.moment].values()) - found.allocated) < len(found.components) + 1
    assert all(size > 0 for size in found.components.values())


@given(plan=plans)
def test_the_counters_are_in_order(plan):
    found = estimate_plan(plan)
    assert found.allocated <= found.reserved <= found.device
    assert found.low <= found.reserved <= found.high
    assert found.allocated < found.needed <= found.device


@given(plan=plans, kind=st.sampled_from(["zero2", "zero3", "fsdp", "fsdp2", "pipeline"]), n=st.sampled_from([2, 4, 8]))
def test_more_cards_never_cost_more_on_each(plan, kind, n):
    few, many = replace(plan, n_gpus=n, sharding=kind), replace(plan, n_gpus=2 * n, sharding=kind)
    never_less(few, many)


@given(plan=plans)
def test_sharding_everything_costs_less_than_copies_of_everything(plan):
    copies = replace(plan, n_gpus=8, sharding="ddp", profile=replace(plan.profile, gathers_all=False))
    shape = plan.shape
    ends = shape.embedding_params + shape.head_params
    if ends + shape.linear_params / shape.layers < shape.params / 2 and not plan.profile.fsdp_retains:
        assert estimate_plan(replace(copies, sharding="fsdp2")).allocated <= estimate_plan(copies).allocated


@given(plan=plans)
def test_copies_on_two_cards_save_nothing(plan):
    one = estimate_plan(replace(plan, n_gpus=1, sharding="none"))
    assert estimate_plan(replace(plan, n_gpus=2, sharding="ddp")).allocated >= one.allocated


def test_each_of_two_copies_is_quantised_on_its_own_card():
    plan = resolve(SetUp(model="meta-llama/Llama-3.3-70B-Instruct", method="qlora", seq_len=16, micro_batch=1), CATALOG)
    assert "load" in moments(replace(plan, n_gpus=2, sharding="ddp"))
    assert "load" not in moments(replace(plan, n_gpus=2, sharding="fsdp"))


@pytest.mark.parametrize("trainer", TRAINERS)
@pytest.mark.parametrize("method", ["full", "lora", "qlora"])
def test_every_trainer_has_a_number_for_every_method(trainer, method):
    found = estimate_plan(resolve(SetUp(model="meta-llama/Llama-3.1-8B", method=method, trainer=trainer), CATALOG))
    assert 4 * 2**30 < found.device < 200 * 2**30

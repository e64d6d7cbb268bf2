"""Speed: laws of the arithmetic, what the published runs say, and what has no answer."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.estimator import resolve
from advisor.estimator.speed import (
    coefficients_of,
    gpu_of,
    hours,
    job_hours,
    job_tokens,
    known_coefficients,
    sustained_tflops,
    tokens_per_second,
)
from advisor.estimator.speed.coefficients import Coefficients
from advisor.estimator.speed.work import attended, work_of
from advisor.query import SetUp
from knowledge.catalog import load_catalog

CATALOG = load_catalog()
MODELS = ("meta-llama/Llama-3.2-1B", "meta-llama/Llama-3.1-8B", "meta-llama/Llama-2-13b-hf", "Qwen/Qwen3-30B-A3B")


def plan_of(**stated):
    return resolve(SetUp(**{"model": "meta-llama/Llama-3.1-8B", "method": "qlora"} | stated), CATALOG)


plans = st.builds(
    plan_of,
    model=st.sampled_from(MODELS),
    method=st.sampled_from(["full", "lora", "qlora"]),
    seq_len=st.sampled_from([128, 512, 2048, 8192]),
    micro_batch=st.sampled_from([1, 2, 8]),
    trainer=st.sampled_from(["hf", "unsloth", "axolotl", "torchtune"]),
    grad_checkpointing=st.sampled_from([True, False]),
)
cards = st.sampled_from([g for g in CATALOG.gpus.values() if g.bf16_dense_tflops or g.fp16_dense_tflops])


@settings(max_examples=60, deadline=None)
@given(
    plan=plans,
    gpu=cards,
    n_gpus=st.sampled_from([1, 2, 8]),
    sharding=st.sampled_from(["none", "ddp", "fsdp", "pipeline"]),
)
def test_always_a_range_and_never_nonsense(plan, gpu, n_gpus, sharding):
    rate = tokens_per_second(replace(plan, n_gpus=n_gpus, sharding=sharding), gpu)
    assert rate is not None
    assert 0 < rate.low < rate.mid < rate.high < 1e8
    assert rate.high / rate.low >= 1.5


@settings(max_examples=60, deadline=None)
@given(
    plan=plans,
    gpu=cards,
    more=st.floats(1.0, 4.0),
    field=st.sampled_from(["bandwidth_gb_s", "tdp_w", "bf16_dense_tflops"]),
)
def test_a_faster_card_is_never_slower(plan, gpu, more, field):
    value = getattr(gpu, field)
    if value is None:
        return
    faster = gpu.model_copy(update={field: value * more})
    assert tokens_per_second(plan, faster).mid >= tokens_per_second(plan, gpu).mid * 0.9999


@settings(max_examples=60, deadline=None)
@given(plan=plans, gpu=cards, doublings=st.integers(1, 4))
def test_the_same_tokens_in_longer_sequences_are_never_faster(plan, gpu, doublings):
    plan = replace(plan, micro_batch=16)
    longer = replace(plan, seq_len=plan.seq_len << doublings, micro_batch=16 >> doublings)
    assert tokens_per_second(longer, gpu).mid <= tokens_per_second(plan, gpu).mid * 1.0001


@settings(max_examples=60, deadline=None)
@given(plan=plans, gpu=cards)
def test_recomputing_and_training_all_weights_cost_time(plan, gpu):
    without = replace(plan, checkpointing="none")
    assert tokens_per_second(replace(plan, checkpointing="layer"), gpu).mid < tokens_per_second(without, gpu).mid
    assert work_of(replace(plan, checkpointing="layer")).matmul_flops > work_of(without).matmul_flops


def test_flops_are_six_or_eight_n_per_token():
    plan = plan_of(method="full", grad_checkpointing=False, seq_len=1024)
    n = plan.shape.linear_params + plan.shape.vocab * plan.shape.hidden
    assert work_of(plan).matmul_flops == pytest.approx(6 * n * plan.tokens)
    lora = plan_of(method="lora", grad_checkpointing=False, seq_len=1024)
    assert work_of(lora).matmul_flops == pytest.approx(4 * n * lora.tokens)
    again = replace(lora, checkpointing="layer")
    assert work_of(again).matmul_flops == pytest.approx(
        6 * n * lora.tokens - 2 * lora.tokens * lora.shape.vocab * lora.shape.hidden
    )


def test_only_active_experts_are_multiplied():
    plan = plan_of(model="Qwen/Qwen3-30B-A3B", seq_len=1024)
    assert work_of(plan).matmul_flops < 6 * 4e9 * plan.tokens
    assert plan.shape.linear_params > 25e9


def test_a_window_bounds_what_is_attended():
    shape = plan_of().shape
    local = replace(shape, window=1024)
    assert attended(local, 512) == attended(shape, 512)
    assert attended(local, 65_536) < attended(shape, 65_536)


def test_looped_experts_and_8_bit_products_are_slow():
    gpu = CATALOG.gpus["a100-80gb-sxm"]
    moe = {"model": "Qwen/Qwen3-30B-A3B", "seq_len": 2048}
    looped = tokens_per_second(plan_of(trainer="trl", quant="gptq", **moe), gpu).mid
    assert looped < tokens_per_second(plan_of(trainer="unsloth", **moe), gpu).mid / 3
    eight = plan_of(method="lora", weight_bits=8)
    assert tokens_per_second(eight, gpu).mid < 0.8 * tokens_per_second(plan_of(method="lora"), gpu).mid


def test_adding_adapters_to_every_expert_costs_its_bytes_whatever_the_batch():
    """peft sums weights and product per layer; Unsloth multiplies apart, twice as fast (its docs, faster-moe)."""
    gpu = CATALOG.gpus["h100-sxm"]
    moe = {"model": "Qwen/Qwen3-30B-A3B", "method": "lora", "seq_len": 1024, "micro_batch": 4}
    peft, unsloth = (tokens_per_second(plan_of(trainer=trainer, **moe), gpu).mid for trainer in ("hf", "unsloth"))
    assert 1.5 < unsloth / peft < 4
    attention = tokens_per_second(plan_of(trainer="hf", lora_targets="attention", **moe), gpu).mid
    assert attention > 1.3 * peft
    few, many = (
        tokens_per_second(plan_of(trainer="hf", **(moe | {"micro_batch": batch})), gpu).mid for batch in (1, 32)
    )
    assert many > 3 * few


def test_unsloth_is_faster_than_the_stock_stack_by_less_than_it_claims():
    for gpu in ("t4", "rtx-3090", "a100-80gb-sxm"):
        stock, unsloth = (
            tokens_per_second(plan_of(trainer=t, seq_len=1024, micro_batch=2), CATALOG.gpus[gpu]).mid
            for t in ("trl", "unsloth")
        )
        assert 1.15 < unsloth / stock < 2.2


def test_an_unknown_card_and_rollouts_have_no_speed():
    assert tokens_per_second(plan_of(), None) is None
    assert tokens_per_second(plan_of(algorithm="grpo"), CATALOG.gpus["rtx-4090"]) is None


def test_layers_in_a_row_share_the_time_of_one_card():
    plan = plan_of(model="meta-llama/Llama-3.1-70B", micro_batch=4, seq_len=4096)
    one = tokens_per_second(plan, CATALOG.gpus["rtx-3090"]).mid
    split = tokens_per_second(replace(plan, n_gpus=2, sharding="pipeline"), CATALOG.gpus["rtx-3090"]).mid
    assert split == pytest.approx(one / 2, rel=0.05)


@pytest.mark.parametrize(
    ("gpu", "low", "high"),
    [
        ("rtx-3090", 55, 72),
        ("rtx-4090", 120, 166),
        ("a100-80gb-sxm", 200, 260),
        ("h100-sxm", 400, 600),
        ("t4", 15, 35),
        ("l4", 25, 45),
    ],
)
def test_sustained_rates_are_what_people_see(gpu, low, high):
    assert low < sustained_tflops(CATALOG.gpus[gpu], known_coefficients()) < high


PUBLISHED = [
    # fms-acceleration: Llama-3-8B, LoRA on q k v o rank 16, 4096 packed, batch 8, one A100 80GB
    (
        "a100-80gb-sxm",
        {
            "method": "lora",
            "lora_targets": "qkvo",
            "seq_len": 4096,
            "micro_batch": 8,
            "trainer": "hf",
            "kernels": "fused ops",
        },
        3858,
    ),
    # fsdp_qlora: Llama-2-7B QLoRA rank 64, 2048, batch 8, DDP on two RTX 3090 / two RTX 4090
    (
        "rtx-3090",
        {
            "model": "meta-llama/Llama-2-7b-hf",
            "seq_len": 2048,
            "micro_batch": 8,
            "lora_rank": 64,
            "n_gpus": 2,
            "sharding": "ddp",
        },
        1198,
    ),
    (
        "rtx-4090",
        {
            "model": "meta-llama/Llama-2-7b-hf",
            "seq_len": 2048,
            "micro_batch": 8,
            "lora_rank": 64,
            "n_gpus": 2,
            "sharding": "ddp",
        },
        2330,
    ),
    # torchtune: Llama-3.2-3B full, 4096 packed, batch 2, compiled, chunked loss, A100
    (
        "a100-80gb-sxm",
        {
            "model": "meta-llama/Llama-3.2-3B",
            "method": "full",
            "seq_len": 4096,
            "micro_batch": 2,
            "trainer": "torchtune",
            "compile": True,
            "kernels": "chunked cross-entropy",
            "grad_checkpointing": True,
        },
        7210,
    ),
    # llm-foundry: MPT-13B full, 2048, batch 2, eight H100, no checkpointing
    (
        "h100-sxm",
        {
            "model": None,
            "arch": {
                "model_type": "mpt",
                "hidden_size": 5120,
                "layers": 40,
                "heads": 40,
                "intermediate_size": 20480,
                "vocab_size": 50368,
                "tie_embeddings": True,
                "mlp_matrices": 2,
            },
            "method": "full",
            "seq_len": 2048,
            "micro_batch": 2,
            "n_gpus": 8,
            "sharding": "fsdp",
            "grad_checkpointing": False,
        },
        4792,
    ),
]


@pytest.mark.parametrize(
    ("gpu", "stated", "measured"), PUBLISHED, ids=[f"{gpu}-{measured}" for gpu, _, measured in PUBLISHED]
)
def test_published_runs_lie_in_the_range(gpu, stated, measured):
    rate = tokens_per_second(plan_of(**stated), CATALOG.gpus[gpu])
    assert rate.low <= measured <= rate.high
    assert 1 / 1.35 <= rate.mid / measured <= 1.35


def test_hours_of_a_job():
    rate = tokens_per_second(plan_of(), CATALOG.gpus["rtx-4090"])
    tokens = job_tokens(10_000, 500, epochs=3)
    one, two = hours(rate, tokens), hours(rate, tokens, n_gpus=2)
    assert tokens == 15_000_000
    assert one.mid == pytest.approx(tokens / rate.mid / 3600)
    assert two.mid == pytest.approx(one.mid / 2)
    assert one.low < one.mid < one.high


def test_a_job_of_which_the_lengths_are_not_known_has_a_wider_range():
    plan, gpu = plan_of(seq_len=2048), CATALOG.gpus["rtx-4090"]
    known = job_hours(plan, gpu, 10_000, tokens_per_example=1024, epochs=2)
    guessed = job_hours(plan, gpu, 10_000, epochs=2)
    assert guessed.mid == pytest.approx(known.mid)
    assert guessed.low < known.low < known.high < guessed.high
    assert job_hours(plan, None, 10_000) is None


@given(tokens=st.floats(1, 10_000), more=st.floats(1, 3), examples=st.integers(1, 10**6))
def test_longer_and_more_examples_take_longer(tokens, more, examples):
    plan, gpu = plan_of(seq_len=4096), CATALOG.gpus["rtx-3090"]
    base = job_hours(plan, gpu, examples, tokens_per_example=tokens)
    assert job_hours(plan, gpu, examples, tokens_per_example=tokens * more).mid >= base.mid * 0.98
    assert job_hours(plan, gpu, 2 * examples, tokens_per_example=tokens).mid == pytest.approx(2 * base.mid)


def test_packing_short_examples_is_faster():
    plan, gpu = plan_of(seq_len=4096), CATALOG.gpus["rtx-3090"]
    loose, packed = (job_hours(plan, gpu, 5_000, tokens_per_example=100, packed=p) for p in (False, True))
    assert packed.mid < loose.mid


@pytest.mark.parametrize(
    ("text", "n_gpus", "gpu"),
    [
        ("A100-SXM4-80GB", 1, "a100-80gb-sxm"),
        ("NVIDIA A100-SXM4-40GB (39.557 GiB)", 1, "a100-40gb-sxm"),
        ("A100 (size not stated)", 1, "a100-80gb-sxm"),
        ("a100_40gb", 8, "a100-40gb-sxm"),
        ("A100 40GB", 1, "a100-40gb-pcie"),
        ("Tesla T4 (14.748 GiB)", 1, "t4"),
        ("NVIDIA L4 (22.161 GiB)", 1, "l4"),
        ("2x RTX 3090 24GB", 2, "rtx-3090"),
        ("RTX 6000 Ada 48GB", 1, "rtx-6000-ada"),
        ("A5000 24GB", 1, "rtx-a5000"),
        ("RTX A6000 48GB", 1, "rtx-a6000"),
        ("NVIDIA GeForce RTX 4060 Ti 16GB", 1, "rtx-4060-ti-16gb"),
        ("A10G 24GB", 1, "a10g"),
        ("NVIDIA A800", 8, "a100-80gb-sxm"),
        ("h100_80gb", 8, "h100-sxm"),
        ("rtx-5090", 1, "rtx-5090"),
        ("24GB class", 1, None),
        ("RTX 9999", 1, None),
        ("", 1, None),
        (None, 1, None),
    ],
)
def test_a_card_by_free_text(text, n_gpus, gpu):
    found = gpu_of(text, CATALOG, n_gpus)
    assert (found.id if found else None) == gpu


@given(text=st.text(max_size=300))
def test_any_text_is_a_card_or_none(text):
    found = gpu_of(text, CATALOG)
    assert found is None or found.id in CATALOG.gpus


@pytest.mark.parametrize("length", [256, 1024, 4096])
@pytest.mark.parametrize(("algorithm", "passes"), [("orpo", 1.0), ("dpo", 1.2), ("ipo", 1.2), ("kto", 1.6)])
def test_a_reference_is_a_pass_more(algorithm, passes, length):
    gpu, sft = CATALOG.gpus["rtx-4090"], plan_of(micro_batch=8, seq_len=4096)
    pairs = plan_of(micro_batch=8 if algorithm == "kto" else 4, seq_len=4096, algorithm=algorithm)
    one, two = (job_hours(plan, gpu, 1000, tokens_per_example=length, packed=False) for plan in (sft, pairs))
    assert pairs.tokens == sft.tokens
    assert 0.99 * passes <= two.mid / one.mid <= 1.2 * passes


def test_every_coefficient_is_a_fact_with_source_and_rows():
    facts = CATALOG.raw["speed.yaml"]
    assert set(facts) == set(Coefficients.__dataclass_fields__)
    for name, fact in facts.items():
        assert {"value", "unit", "what", "source", "rests_on", "checked"} <= set(fact), name
        assert fact.get("low", 0) <= fact["value"] <= fact.get("high", float("inf")), name
    assert coefficients_of(facts) == known_coefficients()

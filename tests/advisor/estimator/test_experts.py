"""Mixtures of experts: against the oracle, and against what people measured with the trainers of today.

`experts.jsonl`: 40 runs of `oracle.py` on Qwen3-MoE with shapes and settings drawn at random; no term was derived from
them. The oracle does not load a checkpoint, so the moment of loading is left out of the comparison.
"""

import json
from pathlib import Path
from statistics import mean

import pytest

from advisor.estimator import estimate_plan, experts, resolve
from advisor.estimator.adapters import lora_params
from advisor.estimator.moments import moments
from advisor.estimator.optimizer import trained
from advisor.estimator.weights import weight_bytes
from advisor.query import SetUp
from knowledge.catalog import load_catalog

CATALOG = load_catalog()
GIB = 2**30
ROWS = [json.loads(line) for line in (Path(__file__).parent / "experts.jsonl").read_text("utf-8").splitlines()]
QWEN = "Qwen/Qwen3-30B-A3B"


def plan_of(row):
    given = dict(row["set_up"])
    optimizer = given.pop("optimizer")
    autocast = given.pop("precision") == "amp"
    setup = SetUp(
        arch=row["arch"],
        trainer="hf",
        autocast=autocast,
        optimizer="adamw_fused" if optimizer == "adamw" else optimizer,
        weight_bits=4 if given["method"] == "qlora" else 16,
        **given,
    )
    return resolve(setup, CATALOG)


def error(row):
    sums = {name: sum(parts.values()) for name, parts in moments(plan_of(row)).items() if name != "load"}
    return 100 * (max(sums.values()) / row["peak_bytes"] - 1)


def test_the_error_is_small_on_the_whole():
    assert mean(abs(error(row)) for row in ROWS) < 0.25


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['id']}-{row['set_up']['method']}")
def test_no_run_is_far_off(row):
    assert abs(error(row)) < 1.6


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['id']}-{row['set_up']['method']}")
def test_what_is_trained_is_counted_to_the_last_parameter(row):
    assert trained(plan_of(row)).elements == row["trainable_params"]


def plan(**set_up):
    return resolve(SetUp(**{"method": "qlora", "model": QWEN} | set_up), CATALOG)


def gib(**set_up):
    found = estimate_plan(plan(**set_up))
    return found.allocated / GIB, found.reserved / GIB


def test_unsloth_on_a_4090_as_measured():
    """experts4bit-qlora bench TC3, 2026-10-02: Unsloth 2026.9.14, rank 16, samples of about 175 tokens, 24.219e9 B."""
    allocated, _ = gib(trainer="unsloth", seq_len=175, micro_batch=2, grad_accum=4, lora_rank=16)
    assert allocated == pytest.approx(24.219e9 / GIB, rel=0.015)
    assert plan(trainer="unsloth", lora_rank=16).adapters == 642_514_944


@pytest.mark.parametrize(
    ("model", "reported"), [("zai-org/GLM-4.5-Air", 63.4), ("Qwen/Qwen3-Next-80B-A3B-Instruct", 47.0)]
)
def test_axolotls_examples_as_reported(model, reported):
    """axolotl 0.19 examples/*/README.md: QLoRA of attention and shared experts, 2 x 2,048 tokens, rank 16."""
    targets = ["q_proj", "k_proj", "v_proj", "o_proj", "shared_expert.up_proj"]
    _, reserved = gib(model=model, trainer="axolotl", seq_len=2048, micro_batch=2, lora_rank=16, lora_targets=targets)
    assert reserved == pytest.approx(reported, rel=0.05)


def test_peft_finds_the_experts_of_architectures_that_it_knows():
    assert plan(trainer="hf", lora_rank=16).adapters > 900_000_000  # gate and up share an adapter of twice the rank
    assert plan(trainer="hf", lora_rank=16, model="mistralai/Mixtral-8x7B-v0.1").adapters < 20_000_000
    assert plan(trainer="hf", lora_rank=16, model="openai/gpt-oss-20b").adapters < 20_000_000


def test_all_linear_layers_are_no_experts_where_a_trainer_lists_them():
    assert plan(trainer="llama-factory", lora_rank=16).adapters == plan(trainer="hf", lora_targets="attention").adapters
    named = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
    assert plan(trainer="llama-factory", lora_rank=16, lora_targets=named).adapters > 900_000_000


def test_names_of_shared_experts_reach_no_routed_ones():
    targets = ["q_proj", "mlp.shared_expert.up_proj"]
    assert not experts.adapted(plan(model="Qwen/Qwen3-Next-80B-A3B-Instruct", trainer="unsloth", lora_targets=targets))
    assert experts.adapted(plan(model="Qwen/Qwen3-Next-80B-A3B-Instruct", trainer="unsloth", lora_targets=["up_proj"]))


def test_a_stated_number_of_trained_parameters_tells_whether_experts_are_among_them():
    assert not experts.adapted(plan(trainer="unsloth", lora_rank=16, trainable_params=13_400_000))
    assert experts.adapted(plan(trainer="unsloth", lora_rank=16, trainable_params=642_514_944))


def test_kbit_preparation_widens_experts_that_are_not_quantised():
    """peft utils/other.py: every 16-bit parameter that is not Params4bit becomes fp32."""
    shape = plan().shape
    assert weight_bytes(plan(trainer="hf")) > 4 * shape.expert_params
    assert weight_bytes(plan(trainer="llama-factory")) < 2.1 * shape.params
    assert weight_bytes(plan(trainer="unsloth")) < 0.6 * shape.params


def test_quantised_checkpoints_hold_their_experts_quantised():
    assert weight_bytes(plan(trainer="hf", quant="gptq")) < 0.65 * plan().shape.params


def test_adapters_on_attention_alone_are_the_lever():
    on_all, on_attention = gib(trainer="unsloth")[0], gib(trainer="unsloth", lora_targets="attention")[0]
    assert on_all - on_attention > 4


def test_every_kind_of_expert_adapter_has_its_own_size():
    shape = plan().shape
    attention = lora_params(shape, frozenset("qkvo"), 16)
    sizes = [lora_params(shape, frozenset("qkvo") | {kind}, 16) - attention for kind in sorted(experts.ROLES)]
    h, w, each = shape.hidden, shape.experts.width, 16 * shape.layers * shape.experts.count
    assert sizes == [each * 3 * (h + w), each * (2 * (h + 2 * w) + h + w), each * (h + 2 * w + h + w)]


@pytest.mark.parametrize(
    ("model", "gb"),
    [
        ("Qwen/Qwen3.5-2B", 5),
        ("Qwen/Qwen3.5-4B", 10),
        ("Qwen/Qwen3.5-9B", 22),
        ("Qwen/Qwen3.5-27B", 56),
        ("Qwen/Qwen3.5-35B-A3B", 74),
        ("Qwen/Qwen3.5-122B-A10B", 256),
        (QWEN, 63),
    ],
)
def test_what_unsloth_says_a_16_bit_lora_takes(model, gb):
    """unsloth.ai/docs: qwen3.5/fine-tune, basics/faster-moe (2026), rounded by them."""
    setup = SetUp(model=model, method="lora", trainer="unsloth", seq_len=1024, micro_batch=1, lora_rank=16)
    assert estimate_plan(resolve(setup, CATALOG)).allocated / 1e9 == pytest.approx(gb, rel=0.15)

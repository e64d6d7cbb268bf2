"""Counts from the shape: what a plan adds up to, and that the parts are the whole."""

import pytest

from knowledge.catalog import load_catalog
from knowledge.parameters import PLANS, Parameters
from knowledge.schemas import Model, Shape

MODELS = load_catalog().models

# (one model of each plan, total parameters as built by transformers or as published)
KNOWN = [
    ("meta-llama/Llama-2-7b-hf", 6_738_415_616),
    ("mistralai/Mixtral-8x7B-v0.1", 46_702_792_704),
    ("meta-llama/Llama-4-Scout-17B-16E-Instruct", 108_641_793_536),
    ("microsoft/phi-2", 2_779_683_840),
    ("EleutherAI/gpt-neox-20b", 20_554_567_680),
    ("openai-community/gpt2", 124_439_808),
    ("EleutherAI/gpt-neo-1.3B", 1_315_575_808),
    ("EleutherAI/gpt-j-6b", 6_050_882_784),
    ("bigscience/bloom-7b1", 7_069_016_064),
    ("facebook/opt-350m", 331_196_416),
    ("tiiuae/falcon-7b", 6_921_720_704),
    ("google-t5/t5-base", 222_903_552),
    ("google-bert/bert-large-uncased", 335_141_888),
    ("nvidia/Llama-3_3-Nemotron-Super-49B-v1", 49_867_145_216),
    ("ibm-granite/granite-4.0-h-tiny", 6_939_037_248),
    ("tiiuae/Falcon-H1-7B-Base", 7_585_648_736),
    ("nvidia/NVIDIA-Nemotron-Nano-9B-v2", 8_888_227_328),
    ("LiquidAI/LFM2-8B-A1B", 8_339_930_560),
    ("ai21labs/Jamba-v0.1", 51_570_323_328),
    ("google/gemma-3n-E2B-it", 5_439_438_272),
    ("google/gemma-4-E4B-it", 7_996_156_448),
]


@pytest.mark.parametrize(("model_id", "total"), KNOWN)
def test_the_count_of_each_plan_is_exact(model_id: str, total: int) -> None:
    assert MODELS[model_id].params_total == total


def test_every_plan_has_a_model_that_proves_it() -> None:
    assert {MODELS[model_id].arch for model_id, _ in KNOWN} == set(PLANS)


@pytest.mark.parametrize("model", [m for m in MODELS.values() if m.params_published], ids=lambda m: m.id)
def test_every_count_is_within_half_a_per_cent_of_the_published_one(model: Model) -> None:
    assert model.params_published is not None
    assert abs(model.params_total / model.params_published - 1) <= 0.005


@pytest.mark.parametrize("model", MODELS.values(), ids=lambda m: m.id)
def test_the_parts_are_the_whole_and_none_is_negative(model: Model) -> None:
    parts = model.parameters
    assert min(getattr(parts, name) for name in Parameters.__dataclass_fields__) >= 0
    linear = parts.attention_linear + parts.mlp_linear + parts.expert_linear
    assert parts.linear == linear > 0
    assert parts.text == linear + parts.embedding + parts.lm_head + parts.router + parts.norms + parts.other
    assert parts.total == parts.text + parts.vision + parts.unused
    assert 0 < parts.active <= parts.text
    assert (parts.inactive > 0) == (model.moe is not None)


def test_llama_2_7b_part_by_part() -> None:
    assert MODELS["meta-llama/Llama-2-7b-hf"].parameters == Parameters(
        embedding=32_000 * 4096,
        lm_head=32_000 * 4096,
        attention_linear=32 * 4 * 4096 * 4096,
        mlp_linear=32 * 3 * 4096 * 11_008,
        norms=4096 * (2 * 32 + 1),
    )


def test_tied_embeddings_are_counted_once() -> None:
    shape = {"hidden_size": 64, "layers": 2, "heads": 4, "intermediate_size": 128, "vocab_size": 100, "max_context": 32}
    free = Shape.model_validate(shape)
    tied = Shape.model_validate({**shape, "tie_embeddings": True})
    assert free.params_total - tied.params_total == 100 * 64
    assert tied.parameters.lm_head == 0


def test_heads_and_head_size_have_their_usual_defaults() -> None:
    shape = {"hidden_size": 64, "layers": 2, "heads": 4, "intermediate_size": 128, "vocab_size": 100, "max_context": 32}
    assert (Shape.model_validate(shape).kv_heads, Shape.model_validate(shape).head_dim) == (4, 16)


def test_only_the_chosen_experts_are_active() -> None:
    mixtral = MODELS["mistralai/Mixtral-8x7B-v0.1"]
    experts = mixtral.parameters.expert_linear
    assert mixtral.params_active == mixtral.params_total - experts * 6 // 8
    assert MODELS["meta-llama/Llama-2-7b-hf"].params_active is None

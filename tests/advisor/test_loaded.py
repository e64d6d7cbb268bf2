"""No answer is built on a trainer that does not load the model; a default length never exceeds the model."""

from typing import Any

import pytest

from advisor.case import Case
from advisor.estimator.weights import weight_bytes
from advisor.query import Kind, Query
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case

ENCODERS = ("google/flan-t5-xl", "google/mt5-xl", "google-t5/t5-3b")
REMOTE = ("Qwen/Qwen-14B", "THUDM/chatglm-6b", "baichuan-inc/Baichuan2-7B-Base")
OLD = ("facebook/opt-6.7b", "bigscience/bloom-7b1", "tiiuae/falcon-7b", "EleutherAI/gpt-j-6b", "mosaicml/mpt-7b")
KINDS = ("fits_check", "which_gpu", "oom_help", "context_length", "method_choice", "time_estimate", "system_ram")


def _codes(**slots: Any) -> list[str]:
    return [stack.code for stack in case(kind="fits_check", gpus=cards("rtx-4090"), **slots).stacks]


@pytest.mark.parametrize("model", [*ENCODERS, *REMOTE])
def test_the_plain_trainer_alone_is_left(model: str) -> None:
    assert _codes(model=model, method="qlora") == ["stock"]


@pytest.mark.parametrize("model", OLD)
def test_the_lean_stack_of_an_old_decoder_is_trls_tiled_loss(model: str) -> None:
    assert _codes(model=model, method="qlora") == ["trl", "stock"]


@pytest.mark.parametrize(
    "model", ["meta-llama/Llama-2-7b-hf", "Qwen/Qwen2.5-7B", "ibm-granite/granite-3.3-8b-instruct"]
)
def test_a_model_with_kernels_keeps_its_lean_stack(model: str) -> None:
    assert _codes(model=model, method="qlora") == ["unsloth", "stock"]


def test_a_stated_trainer_is_taken_at_its_word_unless_it_cannot_load_the_model() -> None:
    assert _codes(model="facebook/opt-6.7b", trainer="unsloth") == ["unsloth"]
    assert _codes(model="google/flan-t5-xl", trainer="unsloth") == ["stock"]


def test_another_size_beside_such_a_model_is_estimated_on_its_own() -> None:
    asked = case(kind="fits_check", model="google/flan-t5-xl", gpus=cards("rtx-4090"))
    assert asked.gap("unsloth") is not None
    assert asked.gap("unsloth", {"params_b": 7.0, "model": None}) is None
    assert asked.gap("unsloth", {"model": "Qwen/Qwen2.5-7B"}) is None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("model", ["google/flan-t5-xl", "Qwen/Qwen-14B"])
@pytest.mark.parametrize("method", ["qlora", "lora", "full"])
def test_no_kind_of_question_offers_it(kind: str, model: str, method: str) -> None:
    advice = case(kind=kind, model=model, method=method, gpus=cards("rtx-3060-12gb")).advice
    assert advice is not None
    assert not {need.trainer for need in advice.needs} & {"unsloth"}
    assert "unsloth" not in {change.value for change in advice.changes}


@pytest.mark.parametrize(("model", "pick"), [("google/flan-t5-xl", "hf"), ("facebook/opt-6.7b", "axolotl")])
def test_the_choice_of_a_trainer_knows_it(model: str, pick: str) -> None:
    advice = case(kind="trainer_choice", model=model, gpus=cards("rtx-4090")).advice
    assert advice is not None
    assert advice.verdict.facts["pick"] == pick
    assert advice.verdict.code == "asked_not" or pick != "hf"


@pytest.mark.parametrize(
    ("slots", "length", "limit"),
    [
        ({"model": "openai-community/gpt2-large"}, 1024, True),
        ({"model": "google-bert/bert-base-uncased"}, 512, True),
        ({"model": "google/flan-t5-xl"}, 512, False),
        ({"model": "Qwen/Qwen2.5-7B"}, 2048, False),
        ({"params_b": 7.0}, 2048, False),
        ({"model": "openai-community/gpt2-large", "seq_len": 1024}, 1024, False),
    ],
)
def test_the_assumed_length_is_at_most_the_models(slots: dict[str, Any], length: int, limit: bool) -> None:
    setup = case(kind="fits_check", gpus=cards("rtx-4090"), **slots).setup
    assert (setup.seq_len, setup.at_limit) == (length, limit)


def test_a_size_that_only_an_old_model_has_keeps_its_limit() -> None:
    sources = {"model": "assumed", "params_b": "stated"}
    query = Query(kind=Kind.FITS_CHECK, model="openai-community/gpt2-large", params_b=0.774, sources=sources)
    assert Case(query, load_catalog()).seq_len == 1024


@pytest.mark.parametrize(
    ("language", "words"), [("en", "1,024 tokens (its limit)"), ("de", "1.024 Tokens (seine Grenze)")]
)
def test_the_line_of_assumptions_says_so(language: str, words: str) -> None:
    advice = case(kind="fits_check", model="openai-community/gpt2-large", gpus=cards("rtx-4090")).advice
    assert advice is not None
    assert words in render(advice, language).text


MOE: dict[str, Any] = {"kind": "fits_check", "method": "qlora", "gpus": cards("a100-80gb-sxm", 2)}


def test_adapters_on_every_expert_are_an_assumption_only_where_experts_get_some() -> None:
    assert "lora_targets" in case(model="Qwen/Qwen3-30B-A3B", **MOE).setup.assumed
    assert "lora_targets" not in case(model="Qwen/Qwen3-30B-A3B", lora_targets="attention", **MOE).setup.assumed
    assert "lora_targets" not in case(model="mistralai/Mixtral-8x7B-v0.1", trainer="trl", **MOE).setup.assumed
    assert "lora_targets" not in case(model="Qwen/Qwen2.5-7B", **MOE).setup.assumed


@pytest.mark.parametrize(
    ("language", "words"), [("en", "leaves the experts unquantised"), ("de", "lässt die Experten unquantisiert")]
)
def test_experts_that_stay_in_16_bit_are_told_beside_the_method(language: str, words: str) -> None:
    """Measured: 153 GiB after loading Qwen3-Coder-Next in "4 bit"; the asker's calculator had 4-bit experts."""
    plain = case(model="Qwen/Qwen3-Coder-Next", trainer="trl", seq_len=8192, **MOE)
    assert plain.setup.experts_16_bit == ("trl",)
    assert plain.advice is not None
    assert words in render(plain.advice, language).text
    assert not case(model="Qwen/Qwen3-30B-A3B", trainer="unsloth", **MOE).setup.experts_16_bit
    both = case(model="Qwen/Qwen3-30B-A3B", **MOE).setup
    assert (both.experts_4_bit, both.experts_16_bit) == (("unsloth",), ("stock",))
    assert plain.setup.experts_4_bit == ()
    assert not case(model="Qwen/Qwen2.5-7B", **MOE).setup.experts_16_bit


def test_a_shape_alone_says_how_large_the_model_is() -> None:
    shape = {"hidden_size": 4096, "layers": 32, "heads": 32, "kv_heads": 8, "intermediate_size": 14336}
    asked = case(kind="fits_check", arch={**shape, "vocab_size": 128256}, gpus=cards("rtx-4090"))
    assert asked.params == asked.setup.params == 8_030_261_248


@pytest.mark.parametrize("model", ENCODERS)
def test_bitsandbytes_leaves_the_output_matrix_of_t5s_mlp_in_fp32(model: str) -> None:
    """transformers: `_keep_in_fp32_modules = ["wo"]`, which no k-bit loader of bitsandbytes converts; GPTQ does."""
    asked = case(kind="fits_check", model=model, gpus=cards("rtx-4090"))
    stack = asked.stacks[0]
    shape = asked.plan(stack).shape
    wo = shape.layers * shape.hidden * shape.intermediate

    def weights(**slots: Any) -> int:
        return weight_bytes(asked.plan(stack, **slots))

    bits = {"method": "qlora", "weight_bits": 4.0, "kbit_prepare": False}
    nf4, gptq = weights(**bits), weights(**bits, quant="gptq")
    assert nf4 - gptq == pytest.approx(3.5 * wo, rel=0.05)
    assert weights(method="lora", weight_bits=16.0) == 2 * shape.params


def test_a_decoder_keeps_no_matrix_in_fp32() -> None:
    asked = case(kind="fits_check", model="meta-llama/Llama-2-7b-hf", gpus=cards("rtx-4090"))
    plan = asked.plan(asked.stacks[-1], method="qlora")
    assert weight_bytes(plan) < 0.75 * plan.shape.params

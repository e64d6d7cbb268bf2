"""Models: names in any order and decoration, sizes, versions, dates, what is unknown."""

import pytest

from advisor.query import Query
from bot.messages import Question
from bot.parser import read


def query(text: str) -> Query:
    return read(Question(text=text)).query


@pytest.mark.parametrize(
    ("text", "model", "params_b"),
    [
        ("llama3 8b lora", "meta-llama/Meta-Llama-3-8B", 8),
        ("lama3 8b lora", "meta-llama/Meta-Llama-3-8B", 8),
        ("lit-llama 7B lora", "huggyllama/llama-7b", 7),
        ("L3 8b lora", "meta-llama/Meta-Llama-3-8B", 8),
        ("qwen 2 7b lora", "Qwen/Qwen2-7B", 7),
        ("qwen 27b lora", "Qwen/Qwen3.8-27B", 27),
        ("qwn2.5 7b lora", "Qwen/Qwen2.5-7B", 7),
        ("Qwen2-72B-Instruct-bnb-4bit qlora", "Qwen/Qwen2-72B", 72),
        ("Qwen2.5-Coder-32B lora", "Qwen/Qwen2.5-Coder-32B", 32),
        ("Qwen3-235B-A22B-Instruct-2507 qlora", "Qwen/Qwen3-235B-A22B-Instruct-2507", 235),
        ("gemma 2b lora", "google/gemma-2b", 2),
        ("gemma 2 2b lora", "google/gemma-2-2b", 2),
        ("Gemma 4 E2B lora", "google/gemma-4-E2B-it", 2),
        ("70B llama2 lora", "meta-llama/Llama-2-70b-hf", 70),
        ("mistral 7b v0.1 lora", "mistralai/Mistral-7B-v0.1", 7),
        ("gpt2 1.5B full finetune", "openai-community/gpt2-xl", 1.5),
        ("meta-llama/Meta-Llama-3.1-70B-Instruct lora", "meta-llama/Llama-3.1-70B", 70),
        ("Gemma 3n (ca. 5B) lora", "google/gemma-3n-E2B-it", 5),
        ("Qwen3-Coder-Next-Base (80b a3b) lora", "Qwen/Qwen3-Coder-Next", 80),
        ("tiny llama lora", "TinyLlama/TinyLlama-1.1B-Chat-v1.0", 1.1),
        ("deepseek r1 distill llama 8b lora", "deepseek-ai/DeepSeek-R1-Distill-Llama-8B", 8),
    ],
)
def test_name_and_size(text: str, model: str, params_b: float) -> None:
    found = query(text)
    assert found.model == model
    assert found.params_b == pytest.approx(params_b, rel=0.01)
    assert found.sources["model"] == "stated"


def test_experts_are_counted_whole() -> None:
    assert query("8x7B mixtral lora").params_b == pytest.approx(46.7, rel=0.01)
    assert query("Qwen3-Coder-Next-Base (80b a3b) qlora").params_b == 80


def test_a_size_that_only_the_catalog_knows_is_not_stated() -> None:
    found = query("lora for mixtral")
    assert found.sources["params_b"] == "assumed"


def test_a_bare_size_has_an_assumed_shape() -> None:
    found = query("13b qlora")
    assert found.params_b == 13
    assert found.sources["params_b"] == "stated"
    assert found.sources["model"] == "assumed"


def test_of_several_sizes_the_largest_decides() -> None:
    found = query("7/13/34B lora on a 3090?")
    assert (found.params_b, found.models) == (34, ("7B", "13B"))
    assert query("4bit lora, longest cutoff for 7b / 13b / 30b").params_b == 30


@pytest.mark.parametrize(
    "text", ["small models (13-32b) qlora", "mostly 13b-32b qlora", "13b bis 32b qlora", "13B to 32B with lora"]
)
def test_a_range_of_sizes_states_none(text: str) -> None:
    found = query(text)
    assert (found.params_b, found.sources["params_b"]) == (32, "assumed")


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("internlm2_5-7b lora", "internlm/internlm2_5-7b"),
        ("qwen2_7b lora", "Qwen/Qwen2-7B"),
        ("command r+ qlora", "CohereLabs/c4ai-command-r-plus"),
        ("gpt4-x-alpaca lora", "chavinlo/gpt4-x-alpaca"),
        ("train GPT4All-13B-snoozy q4_0", "nomic-ai/gpt4all-13b-snoozy"),
        ("olmo-2-1124-13b sft full params", "allenai/OLMo-2-1124-13B"),
        ("OLMo-2-1124-13B-SFT lora", "allenai/OLMo-2-1124-13B-SFT"),
        ("llama-adapter on a 3090", "huggyllama/llama-7b"),
        ("ds-r1-distill-llama-8b qlora", "deepseek-ai/DeepSeek-R1-Distill-Llama-8B"),
        ("30b-a3b sft", "Qwen/Qwen3-30B-A3B"),
        ("chatglm 6b V100 lora", "THUDM/chatglm-6b"),
        ("full ft of deepseek-coder-33b-instruct 8*A800 80G", "deepseek-ai/deepseek-coder-33b-instruct"),
        ("mistral 7b 0.3 lora", "mistralai/Mistral-7B-v0.3"),
        ("qwen2 lora", "Qwen/Qwen2-7B"),
        ("Phi-3-medium-128k lora", "microsoft/Phi-3-medium-128k-instruct"),
        ("15k alpaca-style rows, mistral nemo qlora", "mistralai/Mistral-Nemo-Base-2407"),
        ("lamma 2 7b qlora", "meta-llama/Llama-2-7b-hf"),
        ("671B sft", "deepseek-ai/DeepSeek-R1"),
    ],
)
def test_names_as_people_write_them(text: str, model: str) -> None:
    assert query(text).model == model


@pytest.mark.parametrize("text", ["my llama adapter is 1 GB", "falcon-z9-7b lora", "molmo-7b lora", "mamba-2.8b lora"])
def test_names_that_mean_no_model(text: str) -> None:
    assert query(text).model is None


def test_experts_in_a_hub_name_are_multiplied() -> None:
    assert query("'mistralai/Mixtral-8x22B-v0.1' qlora").params_b == pytest.approx(140.6, rel=1e-3)


def test_a_trainer_inside_a_name_is_only_likely() -> None:
    for text in ("Qwen3-14B-unsloth-bnb-4bit, 4096 context", "unsloth/Qwen3-14B-bnb-4bit, 4096 context"):
        assert query(text).sources["trainer"] == "assumed"
    assert query("Qwen3-14B with unsloth").sources["trainer"] == "stated"


def test_what_went_wrong_is_what_is_meant() -> None:
    found = query("llama.cpp finetune: 13B works, but with 70B it crashes")
    assert found.params_b == 70
    assert query("gemma-2b lora OOMs while mistral 7B with the same command runs").model == "google/gemma-2b"


def test_active_parameters_are_no_size() -> None:
    assert query("30B MoE, only 3B active, lora?").params_b == 30


def test_an_unknown_name_keeps_its_size_and_is_said_to_be_unknown() -> None:
    found = query("Foobar-7B-Chat lora")
    assert found.model is None
    assert found.params_b == 7
    assert found.unknown["model"] == "foobar-7b-chat"


def test_a_longer_name_is_another_model() -> None:
    assert query("long-t5-tglobal-base lora").model != "google-t5/t5-base"


def test_bits_in_a_name_are_the_weights() -> None:
    found = query("Qwen1.5-72B-Chat-GPTQ-Int4 lora")
    assert found.weight_bits == 4
    assert found.method == "qlora"


def test_a_trainer_that_sounds_like_a_model() -> None:
    assert query("llama factory on windows?").model is None
    assert query("llama factory on windows?").trainer == "llama-factory"


@pytest.mark.parametrize("text", ["qlora on my SFT-8B", "dpo for a chat-8b on 24gb", "mein DPO-8B nachtrainieren"])
def test_what_was_done_to_a_model_is_no_name(text: str) -> None:
    found = query(text)
    assert found.params_b == 8
    assert "model" not in found.unknown


def test_an_unknown_active_part_is_a_mixture_of_that_size() -> None:
    found = query("30b-a2b sft")
    assert (found.model, found.sources["model"]) == ("Qwen/Qwen3-30B-A3B", "assumed")
    assert query("30b sft").model == "huggyllama/llama-30b"


def test_a_kind_of_number_is_no_version_of_a_model() -> None:
    assert query("mistral 7b bf16 on a 24gb card").model == "mistralai/Mistral-7B-v0.3"
    assert query("mistral 7b v0.1 on a 24gb card").model == "mistralai/Mistral-7B-v0.1"


def test_a_point_before_a_size_makes_a_fraction() -> None:
    assert query("lora on a .5B model").params_b == 0.5
    assert query("that is lora. 5B model").params_b == 5


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("InternVL2.5-8B lora", "OpenGVLab/InternVL2_5-8B"),
        ("Qwen2.5-Omni-7B lora", "Qwen/Qwen2.5-Omni-7B"),
        ("Qwen2-Audio-7B lora", "Qwen/Qwen2-Audio-7B"),
        ("xglm-564M lora", "facebook/xglm-564M"),
        ("falcon h1 7b lora", "tiiuae/Falcon-H1-7B-Base"),
        ("h2o-danube2-1.8b lora", "h2oai/h2o-danube-1.8b-base"),
        ("ling mini 2.0 lora", "inclusionAI/Ling-mini-2.0"),
    ],
)
def test_models_of_other_makers(text: str, model: str) -> None:
    assert query(text).model == model


def test_a_newer_version_than_known_is_unknown() -> None:
    assert query("deepseek v4 flash qlora on 8 H200").unknown["model"] == "deepseek v4 flash"
    assert query("deepseek v3 qlora on 8 H200").model == "deepseek-ai/DeepSeek-V3"


@pytest.mark.parametrize(
    "text",
    [
        "Passt 32B QLoRA auf eine 5090?",
        "passt 13B auf 24 GB?",
        "wird 13B lora reichen",
        "deepspeed 7b lora",
        "plan 8b lora",
    ],
)
def test_a_word_that_is_written_right_is_no_mistyped_name(text: str) -> None:
    assert read(Question(text=text)).query.sources.get("model") != "stated"

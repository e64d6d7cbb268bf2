"""Which member of a family is meant where only the family is named."""

import pytest

from advisor.query import Query
from bot.messages import Question
from bot.parser import read


def query(text: str) -> Query:
    return read(Question(text=text)).query


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("LoRA on Bloom with two 4090s", "bigscience/bloom-7b1"),
        ("LoRA auf Bloom, zwei 4090 also 48GB", "bigscience/bloom-7b1"),
        ("bloomz lora on a kaggle T4", "bigscience/bloom-7b1"),
        ("lora bloom on 8x A100 80GB", "bigscience/bloom"),
        ("finetune bloom, which gpu", "bigscience/bloom"),
        ("bloom 176b lora on a 4090", "bigscience/bloom"),
        ("bloom lora on a 3090, it takes 11 GB", "bigscience/bloom-3b"),
        ("phi qlora on 8 GB", "microsoft/Phi-4-mini-instruct"),
        ("phi qlora on a 3090", "microsoft/phi-4"),
        ("phi-4 qlora on 8 GB", "microsoft/phi-4"),
        ("deepseek r1 on 4x 4090 fine-tunen", "deepseek-ai/DeepSeek-R1"),
        ("mixtral qlora on a 4090", "mistralai/Mixtral-8x7B-v0.1"),
    ],
)
def test_the_member_that_the_cards_hold(text: str, model: str) -> None:
    assert query(text).model == model


def test_the_others_are_told() -> None:
    found = query("LoRA on Bloom with two 4090s")
    assert found.ambiguous["model"][0] == "bigscience/bloom"
    assert found.sources["params_b"] == "assumed"


@pytest.mark.parametrize(
    "text", ["ollama: the gguf eats 34 GB, the other one 10 GB, qwen3 14b", "qwen3:14b braucht 34 GB statt 10 GB"]
)
def test_a_smaller_amount_in_use_is_no_card(text: str) -> None:
    assert not query(text).gpus


def test_a_card_that_is_called_one_stays() -> None:
    assert query("ollama takes 34 GB on my 10 GB card, qwen3 14b").gpus[0].vram_gb == 10


@pytest.mark.parametrize(
    "text", ["2x Titan RTX, Mixtral 4bit = 32 GB", "two 3090 (2x24GB), a table says mixtral 4bit = 32 GB"]
)
def test_what_a_model_comes_to_is_no_sum_of_cards(text: str) -> None:
    assert query(text).gpus[0].vram_gb == 24


def test_a_sum_of_cards_names_each() -> None:
    assert query("2x V100 = 64 GB, 13b lora").gpus[0].vram_gb == 32


@pytest.mark.parametrize(
    ("text", "batch"),
    [
        ("8b lora, batch 1. runs fine, after a while CUDA OOM. batch 2 fails at once", 1),
        ("8B LoRA, Batch 1. Läuft erst ganz normal, nach einer Weile OOM. Batch 2 geht gar nicht.", 1),
        ("8b lora, batch 1 runs fine. batch 2 OOM", 2),
    ],
)
def test_the_batch_that_ran_and_then_died_is_meant(text: str, batch: int) -> None:
    assert query(text).micro_batch == batch

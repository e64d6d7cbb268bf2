"""How a model lies on several cards where nobody names the way."""

import pytest

from bot.messages import Question
from bot.parser import read
from bot.pipeline import answer
from tests.advisor.rules.ask import cards, case

TWO = {"params_b": 8.0, "method": "qlora", "gpus": cards("rtx-3090", 2)}


def test_a_copy_on_each_where_one_card_holds_it() -> None:
    assert case(**TWO).sharding == "ddp"


def test_split_where_the_asker_says_so() -> None:
    assert case(**TWO, symptoms=("is_split",)).sharding == "fsdp"


def test_layer_by_layer_on_unsloth() -> None:
    assert case(**TWO, symptoms=("is_split",), trainer="unsloth").sharding == "pipeline"


def test_stated_stays() -> None:
    assert case(**TWO, symptoms=("is_split",), sharding="zero2").sharding == "zero2"


SPLIT = [
    "gpt-oss-120b QLoRA, unsloth bnb-4bit, split over 2x RTX PRO 6000 (96GB each), max seq 32k. Training steps "
    "are fine!! Then validation starts and OOM, always. I didnt set any eval options. Where do 192 gigs go?",
    "gpt-oss-120b qlora spread across 2x RTX PRO 6000, 32k",
    "llama 8b qlora sharded across 2x 3090, 32k context",
    "gpt-oss-120b in 4 bit auf 2x RTX PRO 6000 aufgeteilt, 32k",
    "8B QLoRA, aufgeteilt auf zwei 3090, 32k",
]
NOT_SPLIT = [
    "batch of 64 split over 8 A100, 7b lora",
    "8b qlora on 2x 3090, training runs",
    "training distributed over 4x 3090, 8b lora",
    "8B LoRA, Training verteilt auf vier 3090",
    "dataset split across 2 files, 8b qlora on 2x 3090",
    "Daten verteilt auf zwei Dateien, 8B QLoRA auf 2x 3090",
    "how is vram split between weights and activations, 8b lora on 2x 3090",
]


@pytest.mark.parametrize("text", SPLIT)
def test_said_in_words(text: str) -> None:
    assert "is_split" in read(Question(text=text)).query.symptoms
    said = answer(Question(text=text)).reply.text
    assert "a full copy on each" not in said
    assert "eine ganze Kopie auf jeder" not in said


@pytest.mark.parametrize("text", NOT_SPLIT)
def test_what_is_shared_out_is_no_model(text: str) -> None:
    assert "is_split" not in read(Question(text=text)).query.symptoms


def test_an_evaluation_that_dies_is_the_answer() -> None:
    said = answer(Question(text=SPLIT[0])).reply.text
    assert said.startswith("**Evaluation can need more than training")
    assert "24.5 GiB" in said
    assert "eval_accumulation_steps=1" in said

"""Whatever the corpus says, and whichever button is pressed below it, the answer is an answer."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from advisor.query import CardCount, Kind, Query
from bot.codec.words import SYMPTOMS
from bot.messages import Question
from bot.pipeline import answer, answer_query

CORPUS = Path(__file__).parents[1] / "corpus"
PHRASES, PRESSES = 12, 5
"""Of so many phrases one is asked, and of so many texts the buttons of one are pressed; every question is asked."""


def texts(language: str) -> list[str]:
    """All questions of a language's corpus, and a part of the phrases."""
    corpus = yaml.safe_load((CORPUS / f"{language}.yaml").read_text("utf-8"))
    asked = [str(text) for entry in corpus["questions"] for text in entry.get("say", ())]
    return asked + [str(text) for entry in corpus["phrases"].values() for text in entry["say"]][::PHRASES]


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_text_and_button_has_an_answer(language: str, part: int) -> None:
    for place, text in enumerate(texts(language)[part::4]):
        given = answer(Question(text=text, language=language, asked="direct"))
        assert given.error is None, (text, given.error_detail)
        for button in given.reply.buttons if place % PRESSES == 0 else ():
            pressed = answer(Question(text="", change=button.change, language=language, asked="direct"), given.query)
            assert pressed.error is None, (text, button.change, pressed.error_detail)


SLOTS: dict[str, tuple[Any, ...]] = {
    "model": ("meta-llama/Llama-3.1-8B", "Qwen/Qwen3-30B-A3B", "Qwen/Qwen2-VL-7B-Instruct", "google/gemma-2b"),
    "gpus": ("rtx-3090", "apple-m2", "apple-m3-max", "rx-7900-xtx", "t4", "gtx-1080-ti", "strix-halo-128gb"),
    "method": ("lora", "qlora", "full", "dora"),
    "algorithm": ("sft", "dpo", "grpo", "ppo", "reward"),
    "trainer": ("unsloth", "axolotl", "trl", "mlx-lm", "torchtune"),
    "seq_len": (512, 4096, 32_768),
    "ram_gb": (8, 16, 64),
    "offload": ("none", "optimizer", "full"),
    "sharding": ("zero2", "zero3", "fsdp"),
}
SAID = 0.4
"""Share of questions that say each of them."""


def anything(chance: Random) -> Query:
    """A question that nobody would ask, and that has its answer all the same."""
    said = {slot: chance.choice(values) for slot, values in SLOTS.items() if chance.random() < SAID}
    if "gpus" in said:
        said["gpus"] = (CardCount(gpu=said["gpus"], name=said["gpus"], count=chance.choice((1, 1, 2, 4))),)
    kind = chance.choice([kind for kind in Kind if kind is not Kind.MIXED])
    symptoms = tuple(chance.sample(SYMPTOMS, chance.randint(0, 3)))
    return Query(**said, kind=kind, symptoms=symptoms, sources=dict.fromkeys(said, "stated"))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("language", ["en", "de"])
def test_whatever_is_said_together_has_an_answer(language: str, seed: int) -> None:
    chance = Random(seed)
    for _ in range(400):
        answer_query(anything(chance), language)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_mac_that_generates_and_no_model(language: str) -> None:
    query = Query(kind=Kind.OOM_HELP, gpus=(CardCount(gpu="apple-m2", name="M2", count=1),), algorithm="grpo")
    text = answer_query(query, language).reply.text
    assert text.startswith("**Practically no: GRPO" if language == "en" else "**Praktisch nicht: GRPO")

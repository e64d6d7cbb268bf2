"""The rule which_stage."""

from typing import Any

import pytest

from advisor.advisor import advise
from advisor.rules import which_stage
from bot import pipeline
from bot.messages import Question
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case

ASKED: dict[str, Any] = {"kind": "oom_help", "symptoms": ("oom_step", "asks_stage")}


@pytest.mark.parametrize(
    ("size", "method", "card", "count", "pick"),
    [
        (7.0, "lora", "rtx-3090-ti", 2, "zero2"),
        (13.0, "lora", "rtx-4090", 2, "zero3"),
        (70.0, "qlora", "rtx-3090", 4, "offload"),
        (405.0, "lora", "rtx-3060-12gb", 2, None),
        (8.0, "full", "a100-80gb-sxm", 4, "zero2"),
    ],
)
def test_the_least_splitting_that_the_cards_hold(
    size: float, method: str, card: str, count: int, pick: str | None
) -> None:
    found = which_stage.check(case(**ASKED, params_b=size, method=method, gpus=cards(card, count)))
    assert found is not None
    assert found.facts["pick"] == pick


@pytest.mark.parametrize(
    "text",
    [
        "llama 7b + lora, 2x 3090 ti, OutOfMemoryError. what gpu do I have to get? and which deepspeed config",
        "OOM with lora 7b on 2x 3090 in LMFlow, which zero stage?",
        "Llama 7B LoRA, 2x 3090, CUDA out of memory. Welche DeepSpeed-Konfiguration nehme ich?",
    ],
)
def test_it_stands_right_under_the_verdict(text: str) -> None:
    answer = pipeline.answer(Question(text=text))
    assert answer.reply.text.split("\n\n")[1].startswith("**DeepSpeed**: ZeRO-2")


def test_silent_unasked_on_one_card_and_where_the_answer_is_about_the_ways() -> None:
    slots: dict[str, Any] = {"params_b": 7.0, "method": "lora", "gpus": cards("rtx-3090", 2)}
    assert which_stage.check(case(**slots, kind="oom_help", symptoms=("oom_step",))) is None
    assert which_stage.check(case(**slots | {"gpus": cards("rtx-3090")}, **ASKED)) is None
    assert which_stage.check(case(**slots, kind="multi_gpu", symptoms=("asks_stage",))) is None


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_pick_is_told(language: str) -> None:
    for size, words in ((7.0, "ZeRO-2"), (13.0, "ZeRO-3"), (70.0, "DeepSpeed")):
        query = case(**ASKED, params_b=size, method="lora", gpus=cards("rtx-4090", 2)).query
        assert words in render(advise(query, load_catalog()), language).text

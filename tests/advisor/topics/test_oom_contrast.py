"""One thing works and another fails: both figures, and what makes the difference."""

from typing import Any

import pytest

from advisor.advice import Advice
from bot.renderer import render
from tests.advisor.rules.ask import cards, case

LANGUAGES = pytest.mark.parametrize("language", ["en", "de"])
TWO = {"model": "mistralai/Mistral-7B-v0.3", "models": ("google/gemma-7b",), "method": "lora"}


def ask(**slots: Any) -> Advice:
    made = case(kind="oom_help", symptoms=("oom_step",), **slots)
    assert made.advice is not None
    return made.advice


@LANGUAGES
def test_a_large_vocabulary_is_why_the_other_model_fails(language: str) -> None:
    advice = ask(**TWO, gpus=cards("rtx-3090"))
    assert advice.verdict.code == "contrast"
    told = advice.verdict.facts["contrast"]
    assert (told["most"]["name"], told["part"]) == ("gemma-7b", "logits")
    assert told["part_most"] > told["part_least"]
    assert render(advice, language).title.startswith("gemma-7b")


def test_no_contrast_where_both_fit_or_neither_does() -> None:
    for gpu in ("a100-80gb-sxm", "rtx-3060-12gb"):
        assert ask(**TWO, gpus=cards(gpu)).verdict.code != "contrast"


@LANGUAGES
def test_the_larger_of_three_models_is_named_and_all_are_shown(language: str) -> None:
    more = {"model": "Qwen/Qwen3-4B", "models": ("Qwen/Qwen3-8B", "Qwen/Qwen3-32B"), "method": "qlora", "seq_len": 2048}
    advice = ask(**more, gpus=cards("rtx-4090"))
    assert advice.verdict.facts["contrast"]["most"]["name"] == "Qwen3-32B"
    text = render(advice, language).text
    assert all(name in text for name in ("Qwen3-4B", "Qwen3-8B", "Qwen3-32B"))


def test_trainers_and_splits_are_set_side_by_side() -> None:
    slots = {"model": "meta-llama/Meta-Llama-3-8B", "method": "qlora", "seq_len": 8192, "trainer": "unsloth"}
    trainers = ask(**slots, named={"trainer": ("unsloth", "hf")}, gpus=cards("rtx-3090")).verdict.facts["contrast"]
    assert (trainers["slot"], trainers["most"]["name"]) == ("trainer", "hf")
    full = {"params_b": 8.0, "method": "full", "trainer": "deepspeed", "sharding": "zero2"}
    splits = ask(**full, named={"sharding": ("zero2", "zero3")}, gpus=cards("a100-40gb-pcie", 8))
    assert splits.verdict.facts["contrast"]["least"]["name"] == "zero3"

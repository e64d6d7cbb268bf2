"""What follows from the words that are stated."""

import pytest

from bot.messages import Question
from bot.parser import read


@pytest.mark.parametrize(
    ("text", "trainer"),
    [
        ("Qwen3-4B int4 GRPO on a 4090, fast_inference + standby on -> oom", "unsloth"),
        ("GRPO Qwen3 8B mit fast_inference auf 3090, OOM", "unsloth"),
        ("grpo 8b in trl with fast_inference copied from a notebook, 3090, oom", "trl"),
        ("i need fast inference for llama 8b on a 3090", None),
        ("dpo 8b, fast inference later, 3090?", None),
    ],
)
def test_unsloths_names_for_generating_tell_the_trainer(text: str, trainer: str | None) -> None:
    assert read(Question(text=text)).query.trainer == trainer


@pytest.mark.parametrize(
    ("text", "method"),
    [
        ("is full finetuning 3B on 24gb possible?", "full"),
        ("is full fine-tuning of an 8B on 2x A100 80GB possible", "full"),
        ("is full ft of 3b ok on a 3090?", "full"),
        ("my gpu is full, 8b qlora 3090 oom", "qlora"),
    ],
)
def test_what_is_full_is_the_card_or_the_method(text: str, method: str) -> None:
    assert read(Question(text=text)).query.method == method

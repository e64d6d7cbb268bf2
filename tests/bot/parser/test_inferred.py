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

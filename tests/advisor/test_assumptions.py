"""What an answer marks as assumed: the size of a family, and a card that a service stands for."""

import pytest

from bot.messages import Question
from bot.pipeline import answer


@pytest.mark.parametrize(
    ("text", "assumed"),
    [
        ("can I tune LLaMA 3 with LoRA on Colab Pro at 2048 tokens, batch 1?", {"params_b", "gpus"}),
        ("passt Llama 3 mit QLoRA auf eine RTX 4090?", {"params_b"}),
        ("passt Llama 3 8B mit QLoRA auf eine RTX 4090?", set()),
        ("does flan-t5-xl fit a 3060 with lora?", set()),
        ("does DeepSeek-R1 train on 4x RTX 4090?", set()),
    ],
)
def test_a_size_or_a_card_that_nobody_stated_is_marked(text: str, assumed: set[str]) -> None:
    advice = answer(Question(text=text)).advice
    assert advice is not None
    assert advice.setup is not None
    assert {"params_b", "gpus"}.intersection(advice.setup.assumed) == assumed

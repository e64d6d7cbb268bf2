"""Who thinks that a larger card is needed is told first whether it is."""

import pytest

from bot.messages import Question
from bot.pipeline import answer


def title(text: str) -> str:
    return answer(Question(text=text)).reply.title


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("13B llama LoRA on a 24gb card, so I guess I need 32?", "No larger card is needed; with QLoRA it fits"),
        ("mistral 7b qlora on my 3090, do i need 48gb?", "No larger card is needed, Mistral-7B"),
        ("RTX 4070 für 14B QLoRA, muss ich aufrüsten?", "Eine größere Karte ist nicht nötig; mit"),
        ("Mistral 7B QLoRA auf meiner 3090, brauche ich 48 GB?", "Eine größere Karte ist nicht nötig, Mistral-7B"),
    ],
)
def test_a_card_that_is_enough_is_said_to_be(text: str, first: str) -> None:
    assert title(text).startswith(first)


@pytest.mark.parametrize(
    "text", ["70B qlora on a 3090, so i need 48gb?", "70B QLoRA auf einer 3090, brauche ich 48 GB?"]
)
def test_a_card_that_is_too_small_is_not_called_enough(text: str) -> None:
    assert title(text).startswith(("No: 70B", "Nein: 70B"))

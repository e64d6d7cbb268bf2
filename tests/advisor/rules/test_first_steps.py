"""first_steps: who trains for the first time is told where to begin."""

import pytest

from bot.messages import Question
from bot.pipeline import answer


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("complete beginner, qlora 8b on a 3060 12gb, where do i start?", "**To start**: Unsloth"),
        ("as a beginner with a 4090 and windows: does 8b qlora fit?", "WSL2"),
        (
            "Bin Anfänger, passt 8B QLoRA auf meine RTX 4070? Womit fange ich an?",
            "**Zum Anfangen**: Unsloth",
        ),
        (
            "Daten dürfen nicht raus, 8B auf einer RTX 4070, Anfänger: reicht das, womit fängt man an?",
            "offline",
        ),
    ],
)
def test_a_beginner_is_told_where_to_begin(text: str, said: str) -> None:
    assert said in answer(Question(text=text)).reply.text


@pytest.mark.parametrize("text", ["does 8b qlora fit my 3060 12gb?", "as a beginner, does 70b lora fit my 3060 12gb?"])
def test_silent_for_others_and_where_it_does_not_fit(text: str) -> None:
    assert "To start" not in answer(Question(text=text)).reply.text

"""Steps and examples that are both told: how many epochs the steps are, where that is more than enough."""

import pytest

from bot.messages import Question
from bot.pipeline import answer


def said(text: str) -> str:
    return answer(Question(text=text)).reply.text


@pytest.mark.parametrize(
    ("text", "rounds"),
    [
        (
            "7B qlora on a 3090, 500 examples, 3000 steps at 4 s/it. normal?",
            "Over 500 examples that is 6 epochs, with accumulation 8 already 48; two or three are enough.",
        ),
        (
            "7B qlora on a 3090, batch 2, gradient accumulation 4, 2000 examples, 3000 steps at 4 s/it. normal?",
            "Over 2,000 examples that is 12 epochs; two or three are enough.",
        ),
        (
            "600 Datensätze, 1000 steps, 140 s/it, A40, ChatGLM3 QLoRA. Ist das normal?",
            "Bei 600 Beispielen sind das 2 Epochen, mit Accumulation 8 schon 13; zwei bis drei genügen.",
        ),
    ],
)
def test_steps_over_few_examples_are_many_epochs(text: str, rounds: str) -> None:
    assert rounds in said(text)


@pytest.mark.parametrize(
    "text",
    [
        "7B qlora on a 3090, 50000 examples, 3000 steps at 4 s/it. normal?",
        "7B qlora on a 3090, 3000 steps at 4 s/it. normal?",
    ],
)
def test_enough_data_or_none_told_is_no_matter(text: str) -> None:
    assert "are enough" not in said(text)

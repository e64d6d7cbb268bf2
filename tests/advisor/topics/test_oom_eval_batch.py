"""The batch of an evaluation is the trainer's own default: 8 on the Hugging Face Trainer, the training's on Axolotl."""

import pytest

from bot.messages import Question
from bot.pipeline import answer


@pytest.mark.parametrize(
    ("text", "said", "unsaid"),
    [
        (
            "Mistral 7B LoRA with axolotl on a 3090, OOM at the first evaluation",
            "`eval_batch_size: 1`",
            "is 8 by default",
        ),
        ("Mistral 7B LoRA mit Axolotl auf einer 3090, OOM bei der ersten Auswertung", "`eval_batch_size: 1`", "auf 8"),
        ("Mistral 7B LoRA on a 3090, OOM at the first evaluation", "is 8 by default", "`eval_batch_size: 1`"),
    ],
)
def test_the_batch_of_an_evaluation_is_the_trainers(text: str, said: str, unsaid: str) -> None:
    reply = answer(Question(text=text)).reply.text
    assert said in reply
    assert unsaid not in reply

"""The rule gguf_is_not_trainable."""

import pytest

from advisor.rules import gguf_is_not_trainable
from bot.messages import Question
from bot.pipeline import answer
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = gguf_is_not_trainable.check(case(params_b=13.0, kind="method_choice", quant="q4_0"))
    assert found is not None


def test_silent_with_bitsandbytes() -> None:
    assert gguf_is_not_trainable.check(case(params_b=13.0, kind="method_choice", quant="nf4")) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("can i finetune a gguf on a 3060?", "A GGUF file cannot be trained"),
        ("Kann ich ein GGUF-Modell finetunen auf 12 GB?", "Eine GGUF-Datei"),
    ],
)
def test_who_wants_to_train_one_reads_that_first_and_no_table(text: str, words: str) -> None:
    made = answer(Question(text=text))
    assert made.advice is not None
    assert made.reply.title.startswith(words)
    assert made.advice.rungs == ()

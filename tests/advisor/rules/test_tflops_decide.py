"""The rule tflops_decide."""

import pytest

from advisor.rules import tflops_decide
from bot.messages import Question
from bot.pipeline import answer
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = tflops_decide.check(
        case(kind="compare_gpus", gpus=cards("rtx-5090") + cards("rtx-4090"), claims=("tflops_decide",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert tflops_decide.check(case(kind="compare_gpus", gpus=cards("rtx-5090") + cards("rtx-4090"))) is None


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (
            "FP32: A100 19.5 TFLOPS, 4090 82.6, 5090 125. So a 5090 is 6x faster than an A100 for lora?",
            "**What counts is dense bf16 on the tensor cores: A100 80GB SXM 312, RTX 4090 165, RTX 5090 210 TFLOPS.**",
        ),
        (
            "4090 hat 82 TFLOPS, A100 nur 19,5. Wieso ist die A100 dann schneller beim Training?",
            "**Was zählt, ist dichtes bf16 auf den Tensorkernen: A100 80GB SXM 312, RTX 4090 165 TFLOPS.**",
        ),
    ],
)
def test_cards_on_paper_get_the_figure_that_counts_first(text: str, first: str) -> None:
    said = answer(Question(text=text)).reply.text
    assert said.startswith(first)
    assert "addiert sich nicht" not in said


def test_one_card_has_no_figure_to_be_set_beside() -> None:
    found = tflops_decide.check(case(kind="compare_gpus", gpus=cards("rtx-5090"), claims=("tflops_decide",)))
    assert found is not None
    assert (found.gravity, found.facts["cards"]) == ("correct", [])

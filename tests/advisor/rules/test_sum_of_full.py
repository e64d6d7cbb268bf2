"""The rule sum_of_full."""

import pytest

from advisor.rules import sum_of_full
from bot.messages import Question
from bot.parser import read
from tests.advisor.rules.ask import case

SEVEN = {"model": "Qwen/Qwen-7B", "method": "full", "kind": "multi_gpu", "symptoms": ("wants_formula",)}


def test_sixteen_bytes_and_the_reference_of_preference_training() -> None:
    """7.7B: 123 GB of states, 15 GB of reference, and no second optimizer."""
    found = sum_of_full.check(case(**SEVEN, algorithm="dpo"))
    assert found is not None
    assert round(found.facts["states"]) == 124
    assert round(found.facts["reference"]) == 15
    assert found.facts["cards"] in (2, 3, 4)
    plain = sum_of_full.check(case(**SEVEN))
    assert plain is not None
    assert plain.facts["reference"] is None


def test_silent_about_adapters_or_where_no_sum_is_asked_for() -> None:
    assert sum_of_full.check(case(**(SEVEN | {"method": "lora"}))) is None
    assert sum_of_full.check(case(**(SEVEN | {"symptoms": ()}))) is None
    assert sum_of_full.check(case(**(SEVEN | {"kind": "time_estimate"}))) is None
    assert sum_of_full.check(case(**(SEVEN | {"kind": "faq_definition"}))) is None  # whose answer is the sum


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Formula for full-parameter DPO of qwen-7b please", True),
        ("how do i calculate the vram for a full finetune of a 13b?", True),
        ("Nach welcher Formel rechnet man vollen Finetune von 7B?", True),
        ("wie berechne ich den vram für volles finetuning von 7b?", True),
        ("full finetune of 7b on 2x a100, does it fit?", False),
        ("volles finetuning von 7b, wie viel vram?", False),
    ],
)
def test_who_asks_for_a_formula(text: str, asked: bool) -> None:
    assert ("wants_formula" in read(Question(text=text)).query.symptoms) == asked

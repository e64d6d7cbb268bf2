"""The rule active_params_only."""

import pytest

from advisor.rules import active_params_only
from bot.messages import Question
from bot.pipeline import answer
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = active_params_only.check(case(model="Qwen/Qwen3-30B-A3B", kind="fits_check", gpus=cards("rtx-4090")))
    assert found is not None


def test_silent_on_a_dense_model() -> None:
    assert (
        active_params_only.check(
            case(
                model="meta-llama/Llama-3.1-8B",
                kind="fits_check",
                gpus=cards("rtx-4090"),
                claims=("active_params_only",),
            )
        )
        is None
    )


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Qwen3-30B-A3B on one RTX 3090, QLoRA - only 3B are active so 24 gigs should do, right?", "**All 31B"),
        ("mixtral 8x7b has 13B active so it trains like a 13B, correct? i have a 4090", "**All 47B"),
        ("gpt-oss-20b: 3.6B active so full ft on 24GB?", "**All 21B"),
        (
            "Bei Qwen3-30B-A3B sind nur 3B aktiv, also reicht eine 12GB 3060 für QLoRA?",
            "**In den Speicher müssen alle 31B",
        ),
    ],
)
def test_who_counts_the_active_ones_alone_is_told_so_first(text: str, first: str) -> None:
    assert answer(Question(text=text)).reply.text.startswith(first)


def test_who_only_mentions_them_gets_the_verdict_first() -> None:
    said = answer(Question(text="GLM-4.5-Air 106B with 12B active, qlora on 4x3090?")).reply.text
    assert said.startswith("**No: GLM-4.5-Air")

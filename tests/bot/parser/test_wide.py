"""A size in 16 bit beside a figure of four bytes a parameter."""

import pytest

from bot.messages import Question
from bot.pipeline import answer


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("13B quantized runs on my 3090. and 7B in fp16 still takes 28 GB?!", ("7", "28")),
        ("7B in fp16 takes 28 GB when loaded, why?", ("7", "28")),
        ("Mein 13B in bf16 braucht 52 GB statt 26, wieso?", ("13", "52")),
    ],
)
def test_four_bytes_are_seen(text: str, told: tuple[str, str]) -> None:
    made = answer(Question(text=text))
    assert made.query.named["loaded_wide"] == told
    assert "fp32" in made.reply.text


@pytest.mark.parametrize(
    "text", ["7B in fp16 takes 14 GB", "7B qlora on 24 GB in bf16", "7B on a card with 28 GB", "8B bf16, 64 GB RAM ok?"]
)
def test_other_figures_are_not(text: str) -> None:
    assert "loaded_wide" not in answer(Question(text=text)).query.named

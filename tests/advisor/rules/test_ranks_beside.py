"""ranks_beside: two ranks side by side."""

import pytest

from advisor.rules import ranks_beside
from bot.messages import Question
from bot.parser import read
from bot.pipeline import answer
from tests.advisor.rules.ask import case


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("rank 8 vs rank 64 for 8B QLoRA, how much more vram?", "Rank 64 instead of 8 takes"),
        ("how much more memory does r 16 or 128 take, 14B qlora on a 3090?", "Rank 128 instead of 16 takes"),
        ("Wie viel mehr VRAM braucht Rang 16 oder Rang 128 bei 14B QLoRA auf einer 3090?", "Rang 128 statt 16 braucht"),
    ],
)
def test_what_the_larger_rank_takes_more_comes_first(text: str, first: str) -> None:
    assert answer(Question(text=text)).reply.title.startswith(first)


def test_the_difference_is_in_proportion_to_the_rank() -> None:
    asked = {"kind": "fits_check", "params_b": 8.0, "method": "qlora"}
    small, large = (
        ranks_beside.check(case(**asked, named={"lora_rank": pair})) for pair in (("8", "64"), ("8", "120"))
    )
    assert small is not None
    assert large is not None
    assert large.facts["more"] == pytest.approx(2 * small.facts["more"], rel=0.15)


@pytest.mark.parametrize("text", ["8b qlora with rank 16 or lora on 16gb?", "rank 16, 8 or 16 gb card for 8b qlora?"])
def test_one_rank_is_no_pair(text: str) -> None:
    assert "lora_rank" not in read(Question(text=text)).query.named


def test_silent_where_all_weights_are_trained() -> None:
    named = {"lora_rank": ("8", "64")}
    assert ranks_beside.check(case(kind="fits_check", params_b=8.0, method="full", named=named)) is None

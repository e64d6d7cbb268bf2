"""The rule without_flash."""

from typing import Any

import pytest

from advisor.rules import without_flash
from bot.messages import Question
from bot.pipeline import answer
from tests.advisor.rules.ask import cards, case

ON_A_3090: dict[str, Any] = {"params_b": 7.0, "method": "qlora", "kind": "fits_check", "gpus": cards("rtx-3090")}


def test_speaks_with_what_eager_attention_costs_at_length() -> None:
    """32 heads hold length x length scores each: 2 GiB in 16 bit at 4,096 tokens, and copies for the softmax."""
    long = without_flash.check(case(**ON_A_3090, attention="eager", seq_len=4096))
    assert long is not None
    assert long.facts["more"] > 2**30
    short = without_flash.check(case(**ON_A_3090, attention="eager", seq_len=256))
    assert short is not None
    assert short.facts["more"] is None


def test_silent_with_another_attention_or_none_said() -> None:
    assert without_flash.check(case(**ON_A_3090, attention="sdpa")) is None
    assert without_flash.check(case(**ON_A_3090)) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("4x 3070, no flash attention: enough for a 14b qlora at 256 tokens?", "**Without FlashAttention**"),
        ("4x 3070 ohne flash attention: reicht das für 14b qlora mit 256 Tokens?", "**Ohne FlashAttention**"),
    ],
)
def test_who_lacks_it_reads_that_it_is_no_obstacle(text: str, words: str) -> None:
    assert words in answer(Question(text=text)).reply.text

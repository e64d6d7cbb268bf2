"""A length that should fit and did not: the verdict first, and eager attention among what differs."""

import pytest

from bot.messages import Question
from bot.pipeline import answer


def said(text: str) -> str:
    return answer(Question(text=text)).reply.text


@pytest.mark.parametrize(
    ("text", "first", "eager"),
    [
        (
            "starcoder 15B chat finetune at the full 8192? A100 80GB gets me to ~6000 with 8bit + LoRA, then OOM",
            "**8k tokens should fit A100 80GB SXM",
            "Eager attention",
        ),
        (
            "Llama 3.1 8B QLoRA mit 16k Kontext auf einer A100 80GB, bei mir OOM. Müsste das nicht gehen?",
            "**16k Tokens sollten auf A100 80GB SXM passen",
            "Eager Attention",
        ),
    ],
)
def test_what_should_fit_is_said_to_and_eager_attention_named(text: str, first: str, eager: str) -> None:
    reply = said(text)
    assert reply.startswith(first)
    assert eager in reply


def test_who_has_flash_attention_is_not_told_of_eager_attention() -> None:
    text = "starcoder at 8192 with flash attention 2? A100 80GB gets me to ~6000 with 8bit + LoRA, then OOM"
    assert "Eager attention" not in said(text)

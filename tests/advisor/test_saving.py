"""What one setting saves, and when that is asked."""

import pytest

from advisor import topics
from advisor.query import Kind
from advisor.saving import saving, setting
from bot.messages import Question
from bot.pipeline import answer
from tests.advisor.rules.ask import case

LLAMA = {"kind": "fits_check", "model": "meta-llama/Llama-3.1-8B", "method": "qlora", "seq_len": 8192}
ASKED = {"symptoms": ("asks_saving",)}


@pytest.mark.parametrize(
    ("slots", "name"),
    [
        ({"grad_checkpointing": True}, "grad_checkpointing"),
        ({"fused_loss": True}, "fused_loss"),
        ({"attention": "flash"}, "attention"),
        ({"optimizer": "paged_adamw_8bit"}, "optimizer"),
        ({"activation_offload": True}, "activation_offload"),
    ],
)
def test_the_named_setting_is_taken_out_again(slots: dict[str, object], name: str) -> None:
    made = case(**LLAMA, **ASKED, **slots)
    found = saving(made)
    assert found is not None
    assert found["setting"] == name
    assert found["saved"] == found["off"] - found["on"] >= 0
    assert topics.route(made) is Kind.OOM_HELP


def test_nothing_is_told_unasked_or_without_a_model() -> None:
    assert setting(case(**LLAMA, grad_checkpointing=True)) is None
    assert setting(case(kind="fits_check", grad_checkpointing=True, **ASKED)) is None
    assert setting(case(**LLAMA, **ASKED)) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("how much memory does gradient checkpointing save for a 7b at 4k?", "Gradient checkpointing saves about"),
        ("Wie viel VRAM spart Gradient Checkpointing bei einem 7B und 4k?", "Gradient Checkpointing spart hier"),
    ],
)
def test_the_first_words_answer(text: str, words: str) -> None:
    assert answer(Question(text=text)).reply.text.startswith(f"**{words}")

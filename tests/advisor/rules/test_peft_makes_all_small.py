"""The rule peft_makes_all_small."""

import pytest

from advisor.rules import peft_makes_all_small
from bot.messages import Question
from bot.pipeline import answer
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = peft_makes_all_small.check(
        case(model="meta-llama/Llama-3.1-8B", kind="oom_help", claims=("peft_makes_all_small",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert peft_makes_all_small.check(case(model="meta-llama/Llama-3.1-8B", kind="oom_help")) is None


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (
            "TRL sft on opt-350m: peft makes it WORSE, 34G without, 40G with lora",
            "**LoRA saves gradients and optimizer states alone, with opt-350m 3.7 GiB at the most",
        ),
        (
            "LoRA braucht bei mir bei einem 0.5B mehr Speicher als volles Training, 14 statt 13 GB. wieso?",
            "**LoRA spart nur Gradienten und Optimizer-Zustände, bei 500M höchstens 5,5 GiB",
        ),
        (
            "Qwen2.5-0.5B: same memory with lora as with full fine tuning, is that a bug?",
            "**LoRA saves gradients and optimizer states alone, with Qwen2.5-0.5B",
        ),
    ],
)
def test_a_small_model_saves_little_and_that_is_said_first(text: str, first: str) -> None:
    assert answer(Question(text=text)).reply.text.startswith(first)


def test_a_large_model_or_4_bit_saves_much() -> None:
    told = {"kind": "oom_help", "symptoms": ("adapters_save_nothing",), "claims": ("peft_makes_all_small",)}
    large = peft_makes_all_small.check(case(model="meta-llama/Llama-3.1-8B", method="lora", **told))
    four = peft_makes_all_small.check(case(params_b=0.5, method="qlora", **told))
    assert large is not None
    assert four is not None
    assert (large.facts["saved"], four.facts["saved"]) == (None, None)

"""The rule logits_dominate."""

from advisor.rules import logits_dominate
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = logits_dominate.check(
        case(
            model="google/gemma-2b",
            kind="fits_check",
            gpus=cards("rtx-3090"),
            trainer="hf",
            method="lora",
            seq_len=8192,
        )
    )
    assert found is not None


def test_silent_at_a_short_length() -> None:
    assert (
        logits_dominate.check(
            case(model="huggyllama/llama-7b", kind="fits_check", gpus=cards("rtx-3090"), trainer="unsloth", seq_len=512)
        )
        is None
    )

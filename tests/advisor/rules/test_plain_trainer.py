"""The rule plain_trainer."""

from advisor.rules import plain_trainer
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = plain_trainer.check(
        case(
            model="google/gemma-2b",
            kind="fits_check",
            gpus=cards("rtx-3090"),
            trainer="trl",
            method="lora",
            seq_len=4096,
        )
    )
    assert found is not None


def test_silent_on_unsloth() -> None:
    assert (
        plain_trainer.check(
            case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"), trainer="unsloth")
        )
        is None
    )

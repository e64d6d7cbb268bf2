"""The rule bf16_anywhere."""

from advisor.rules import bf16_anywhere
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = bf16_anywhere.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("t4")))
    assert found is not None


def test_silent_on_ampere() -> None:
    assert bf16_anywhere.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"))) is None


def test_silent_when_fp16_is_asked_for() -> None:
    assert (
        bf16_anywhere.check(
            case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("t4"), compute_dtype="fp16")
        )
        is None
    )

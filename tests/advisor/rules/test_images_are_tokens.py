"""The rule images_are_tokens."""

from advisor.rules import images_are_tokens
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = images_are_tokens.check(
        case(model="Qwen/Qwen2.5-VL-7B-Instruct", kind="fits_check", gpus=cards("rtx-4090"))
    )
    assert found is not None


def test_silent_on_text_models() -> None:
    assert (
        images_are_tokens.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-4090")))
        is None
    )

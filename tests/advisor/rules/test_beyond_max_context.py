"""The rule beyond_max_context."""

from advisor.rules import beyond_max_context
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = beyond_max_context.check(
        case(model="huggyllama/llama-7b", kind="fits_check", gpus=cards("rtx-3090"), seq_len=8192)
    )
    assert found is not None


def test_silent_within_its_context() -> None:
    assert (
        beyond_max_context.check(
            case(model="huggyllama/llama-7b", kind="fits_check", gpus=cards("rtx-3090"), seq_len=2048)
        )
        is None
    )

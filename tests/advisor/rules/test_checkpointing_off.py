"""The rule checkpointing_off."""

from advisor.rules import checkpointing_off
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = checkpointing_off.check(
        case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-4090"), grad_checkpointing=False)
    )
    assert found is not None


def test_silent_when_it_is_on() -> None:
    assert (
        checkpointing_off.check(
            case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-4090"), grad_checkpointing=True)
        )
        is None
    )

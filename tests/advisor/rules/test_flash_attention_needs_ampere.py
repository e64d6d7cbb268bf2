"""The rule flash_attention_needs_ampere."""

from advisor.rules import flash_attention_needs_ampere
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = flash_attention_needs_ampere.check(
        case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("v100-32gb"), attention="flash")
    )
    assert found is not None


def test_silent_on_ampere() -> None:
    assert (
        flash_attention_needs_ampere.check(
            case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"), attention="flash")
        )
        is None
    )

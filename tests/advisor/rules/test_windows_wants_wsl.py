"""The rule windows_wants_wsl."""

from advisor.rules import windows_wants_wsl
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = windows_wants_wsl.check(
        case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090", 2), os="windows")
    )
    assert found is not None


def test_silent_with_unsloth_on_one_card() -> None:
    assert (
        windows_wants_wsl.check(
            case(
                model="meta-llama/Llama-3.1-8B",
                kind="fits_check",
                gpus=cards("rtx-3090"),
                os="windows",
                trainer="unsloth",
            )
        )
        is None
    )

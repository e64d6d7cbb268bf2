"""The rule torchtune_is_legacy."""

from advisor.rules import torchtune_is_legacy
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = torchtune_is_legacy.check(
        case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-4090"), trainer="torchtune")
    )
    assert found is not None


def test_silent_on_axolotl() -> None:
    assert (
        torchtune_is_legacy.check(
            case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-4090"), trainer="axolotl")
        )
        is None
    )

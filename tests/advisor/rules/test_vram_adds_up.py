"""The rule vram_adds_up."""

from advisor.rules import vram_adds_up
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = vram_adds_up.check(
        case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090", 2), claims=("vram_adds_up",))
    )
    assert found is not None


def test_silent_with_one_card() -> None:
    assert (
        vram_adds_up.check(
            case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"), claims=("vram_adds_up",))
        )
        is None
    )

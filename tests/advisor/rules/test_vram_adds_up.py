"""The rule vram_adds_up."""

from advisor.rules import vram_adds_up
from advisor.stacks import GIB
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


def test_the_setting_that_splits_it_is_denied_only_where_it_was_looked_for() -> None:
    asked = {"params_b": 70.0, "method": "lora", "gpus": cards("rtx-a6000", 4)}
    found, died = (
        vram_adds_up.check(case(**asked, kind="fits_check", claims=("vram_adds_up",), symptoms=seen))
        for seen in ((), ("one_card_used",))
    )
    assert found is not None
    assert found.facts["whole"] is None
    assert died is not None
    assert died.facts["whole"] > 64 * GIB

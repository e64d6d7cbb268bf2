"""The rule mixed_cards_add_up."""

from advisor.rules import mixed_cards_add_up
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = mixed_cards_add_up.check(
        case(model="meta-llama/Llama-3.1-8B", kind="multi_gpu", gpus=cards("rtx-3090") + cards("rtx-5080"))
    )
    assert found is not None
    alone = case(model="meta-llama/Llama-3.1-8B", kind="multi_gpu", gpus=cards("rtx-3090") + cards("rtx-3060-12gb"))
    assert mixed_cards_add_up.check(alone) is None  # the larger one alone is the advice


def test_silent_with_equal_cards() -> None:
    assert (
        mixed_cards_add_up.check(case(model="meta-llama/Llama-3.1-8B", kind="multi_gpu", gpus=cards("rtx-3090", 2)))
        is None
    )

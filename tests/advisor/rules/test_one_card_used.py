"""The rule one_card_used."""

from advisor.rules import one_card_used
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = one_card_used.check(
        case(model="meta-llama/Llama-3.1-8B", kind="multi_gpu", gpus=cards("t4", 2), symptoms=("one_card_used",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert one_card_used.check(case(model="meta-llama/Llama-3.1-8B", kind="multi_gpu", gpus=cards("t4", 2))) is None


def test_silent_on_unsloth_which_torchrun_does_not_spread() -> None:
    asked = case(kind="multi_gpu", gpus=cards("rtx-3090", 2), symptoms=("one_card_used",), trainer="unsloth")
    assert one_card_used.check(asked) is None

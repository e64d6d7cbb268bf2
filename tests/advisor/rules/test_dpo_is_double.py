"""The rule dpo_is_double."""

from advisor.rules import dpo_is_double
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = dpo_is_double.check(
        case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"), algorithm="dpo")
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert dpo_is_double.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"))) is None

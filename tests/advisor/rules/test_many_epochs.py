"""The rule many_epochs."""

from advisor.rules import many_epochs
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = many_epochs.check(
        case(params_b=7.0, method="lora", kind="time_estimate", gpus=cards("rtx-3090"), epochs=10.0)
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert (
        many_epochs.check(case(params_b=7.0, method="lora", kind="time_estimate", gpus=cards("rtx-3090"), epochs=3.0))
        is None
    )

"""The rule little_text."""

from advisor.rules import little_text
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = little_text.check(
        case(params_b=7.0, method="lora", kind="mixed", gpus=cards("rtx-4060-ti-16gb"), dataset_tokens=11000)
    )
    assert found is not None


def test_silent_with_enough_text() -> None:
    assert (
        little_text.check(
            case(params_b=7.0, method="lora", kind="mixed", gpus=cards("rtx-4060-ti-16gb"), dataset_tokens=5000000)
        )
        is None
    )

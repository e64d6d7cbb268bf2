"""The rule tiny_dataset."""

from advisor.rules import tiny_dataset
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = tiny_dataset.check(
        case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"), dataset_examples=60)
    )
    assert found is not None


def test_silent_with_enough_examples() -> None:
    assert (
        tiny_dataset.check(
            case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"), dataset_examples=5000)
        )
        is None
    )

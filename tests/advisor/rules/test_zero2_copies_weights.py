"""The rule zero2_copies_weights."""

from advisor.rules import zero2_copies_weights
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = zero2_copies_weights.check(
        case(model="meta-llama/Llama-3.1-8B", kind="multi_gpu", gpus=cards("a10g", 4), sharding="zero2", method="lora")
    )
    assert found is not None


def test_silent_on_zero3() -> None:
    assert (
        zero2_copies_weights.check(
            case(
                model="meta-llama/Llama-3.1-8B",
                kind="multi_gpu",
                gpus=cards("a10g", 4),
                sharding="zero3",
                method="lora",
            )
        )
        is None
    )

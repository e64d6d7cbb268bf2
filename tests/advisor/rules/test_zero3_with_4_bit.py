"""The rule zero3_with_4_bit."""

from advisor.rules import zero3_with_4_bit
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = zero3_with_4_bit.check(
        case(params_b=70.0, kind="multi_gpu", gpus=cards("t4", 8), sharding="zero3", method="qlora")
    )
    assert found is not None


def test_silent_with_16_bit_weights() -> None:
    assert (
        zero3_with_4_bit.check(
            case(params_b=70.0, kind="multi_gpu", gpus=cards("t4", 8), sharding="zero3", method="lora")
        )
        is None
    )

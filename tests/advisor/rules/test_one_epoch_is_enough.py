"""The rule one_epoch_is_enough."""

from advisor.rules import one_epoch_is_enough
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = one_epoch_is_enough.check(
        case(params_b=7.0, method="lora", kind="time_estimate", gpus=cards("a100-80gb-sxm"), dataset_examples=1000000)
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert (
        one_epoch_is_enough.check(
            case(params_b=7.0, method="lora", kind="time_estimate", gpus=cards("a100-80gb-sxm"), dataset_examples=10000)
        )
        is None
    )

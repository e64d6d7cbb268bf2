"""The rule offload_sets_pace."""

from advisor.rules import offload_sets_pace
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    assert (
        offload_sets_pace.check(
            case(
                kind="multi_gpu", params_b=70.0, method="full", symptoms=("newer_is_slower",), gpus=cards("h100-sxm", 4)
            )
        )
        is not None
    )


def test_silent() -> None:
    assert (
        offload_sets_pace.check(
            case(
                kind="multi_gpu", params_b=8.0, method="lora", symptoms=("newer_is_slower",), gpus=cards("h100-sxm", 4)
            )
        )
        is None
    )

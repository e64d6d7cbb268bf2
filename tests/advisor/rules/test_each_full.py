"""The rule each_full."""

from advisor.rules import each_full
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    assert (
        each_full.check(
            case(kind="multi_gpu", params_b=8.0, method="lora", symptoms=("each_full",), gpus=cards("rtx-4090", 7))
        )
        is not None
    )


def test_silent() -> None:
    assert (
        each_full.check(
            case(kind="multi_gpu", params_b=8.0, method="lora", symptoms=("each_full",), gpus=cards("rtx-4090"))
        )
        is None
    )

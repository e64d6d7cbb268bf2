"""The rule same_pace."""

from advisor.rules import same_pace
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    assert (
        same_pace.check(
            case(kind="time_estimate", params_b=8.0, symptoms=("same_pace",), named={"method": ("lora", "qlora")})
        )
        is not None
    )


def test_silent() -> None:
    assert same_pace.check(case(kind="time_estimate", params_b=8.0, symptoms=("same_pace",))) is None

"""The rule quantised_trains_all."""

from advisor.rules import quantised_trains_all
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = quantised_trains_all.check(
        case(model="meta-llama/Llama-3.1-8B", kind="method_choice", claims=("quantised_trains_all",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert (
        quantised_trains_all.check(case(model="meta-llama/Llama-3.1-8B", kind="method_choice", method="qlora")) is None
    )

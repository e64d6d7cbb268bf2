"""The rule overfitting."""

from advisor.rules import overfitting
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = overfitting.check(case(model="meta-llama/Llama-3.1-8B", kind="time_estimate", symptoms=("overfit",)))
    assert found is not None


def test_silent_without_it() -> None:
    assert overfitting.check(case(model="meta-llama/Llama-3.1-8B", kind="time_estimate")) is None

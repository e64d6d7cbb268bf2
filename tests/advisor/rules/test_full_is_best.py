"""The rule full_is_best."""

from advisor.rules import full_is_best
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = full_is_best.check(case(model="meta-llama/Llama-3.1-8B", kind="method_choice", claims=("full_is_best",)))
    assert found is not None


def test_silent_without_it() -> None:
    assert full_is_best.check(case(model="meta-llama/Llama-3.1-8B", kind="method_choice", method="full")) is None

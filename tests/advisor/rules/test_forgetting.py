"""The rule forgetting."""

from advisor.rules import forgetting
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = forgetting.check(case(model="meta-llama/Llama-3.1-8B", kind="method_choice", symptoms=("forgets",)))
    assert found is not None


def test_silent_without_it() -> None:
    assert forgetting.check(case(model="meta-llama/Llama-3.1-8B", kind="method_choice")) is None

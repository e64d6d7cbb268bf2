"""The rule smaller_model_less_memory."""

from advisor.rules import smaller_model_less_memory
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = smaller_model_less_memory.check(
        case(model="google/gemma-2b", kind="oom_help", claims=("smaller_model_less_memory",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert smaller_model_less_memory.check(case(model="google/gemma-2b", kind="oom_help")) is None

"""The rule adapters_are_fast."""

from advisor.rules import adapters_are_fast
from tests.advisor.rules.ask import case


def test_names_a_model_that_needs_no_adapters() -> None:
    found = adapters_are_fast.check(
        case(model="FacebookAI/roberta-base", kind="time_estimate", claims=("adapters_are_fast",))
    )
    assert found is not None
    assert found.facts["model"] == "roberta-base"


def test_a_large_model_is_not_called_small() -> None:
    found = adapters_are_fast.check(case(params_b=8.0, kind="time_estimate", claims=("adapters_are_fast",)))
    assert found is not None
    assert found.facts["model"] is None


def test_silent_without_the_belief() -> None:
    assert adapters_are_fast.check(case(params_b=8.0, kind="time_estimate")) is None

"""The rule forgetting."""

from advisor.rules import forgetting
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    found = forgetting.check(case(model="meta-llama/Llama-3.1-8B", kind="method_choice", symptoms=("forgets",)))
    assert found is not None


def test_silent_without_it() -> None:
    assert forgetting.check(case(model="meta-llama/Llama-3.1-8B", kind="method_choice")) is None


def test_it_is_the_answer_where_the_data_are_asked_about() -> None:
    """Reported: after 500 examples of one format the model does nothing else; is it the card or the size?"""
    found = forgetting.check(case(params_b=8, kind="data_size_quality", dataset_examples=500, symptoms=("forgets",)))
    assert found is not None
    assert (found.gravity, found.facts["asked"]) == ("stop", True)

"""The rule smaller_is_faster."""

import pytest

from advisor.rules import smaller_is_faster
from tests.advisor.rules.ask import cards, case

TWO = {"model": "mistralai/Mistral-7B-v0.3", "kind": "fits_check", "gpus": cards("rtx-4060")}


def test_names_the_smaller_one() -> None:
    found = smaller_is_faster.check(case(**TWO, models=("microsoft/phi-2",), symptoms=("asks_faster_model",)))
    assert found is not None
    assert (found.facts["smaller"], found.facts["larger"]) == ("phi-2", "Mistral-7B-v0.3")
    assert found.facts["times"] == pytest.approx(2.6, abs=0.1)


def test_silent_of_equals_and_of_one() -> None:
    equal = case(**TWO, models=("meta-llama/Llama-2-7b-hf",), symptoms=("asks_faster_model",))
    assert smaller_is_faster.check(equal) is None
    assert smaller_is_faster.check(case(**TWO, symptoms=("asks_faster_model",))) is None


def test_silent_unasked() -> None:
    assert smaller_is_faster.check(case(**TWO, models=("microsoft/phi-2",))) is None

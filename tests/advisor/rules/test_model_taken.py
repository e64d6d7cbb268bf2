"""The rule model_taken."""

from advisor.rules import model_taken
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = model_taken.check(
        case(
            model="meta-llama/Llama-3.1-8B",
            kind="fits_check",
            gpus=cards("rtx-3090"),
            ambiguous={"model": ("meta-llama/Llama-3.1-8B", "meta-llama/Llama-3.1-70B")},
        )
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert model_taken.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"))) is None


def test_the_one_that_the_name_means_is_too_large() -> None:
    ids = ("bigscience/bloom", "bigscience/bloom-7b1", "bigscience/bloom-3b")
    found = model_taken.check(case(model="bigscience/bloom-7b1", kind="fits_check", ambiguous={"model": ids}))
    assert found is not None
    assert (found.facts["too_large"], found.facts["others"]) == ("bloom", ["bloom-3b"])

"""The rule from_scratch."""

from advisor.rules import from_scratch
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="which_gpu", symptoms=("from_scratch",))
    assert from_scratch.check(made) is not None


def test_silent() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="which_gpu")
    assert from_scratch.check(made) is None

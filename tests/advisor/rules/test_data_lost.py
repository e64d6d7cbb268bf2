"""The rule data_lost."""

from advisor.rules import data_lost
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="data_size_quality", symptoms=("data_lost",))
    assert data_lost.check(made) is not None


def test_silent() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="data_size_quality")
    assert data_lost.check(made) is None

"""The rule continued_pretraining."""

from advisor.rules import continued_pretraining
from tests.advisor.rules.ask import case


def test_speaks() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="method_choice", algorithm="pretrain")
    assert continued_pretraining.check(made) is not None


def test_silent() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="method_choice")
    assert continued_pretraining.check(made) is None

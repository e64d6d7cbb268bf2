"""The rule old_generation."""

from advisor.rules import old_generation
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = old_generation.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("p40")))
    assert found is not None


def test_silent_on_volta() -> None:
    assert (
        old_generation.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("v100-32gb"))) is None
    )

"""The rule slow_memory."""

from advisor.rules import slow_memory
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = slow_memory.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("dgx-spark")))
    assert found is not None


def test_silent_on_a_graphics_card() -> None:
    assert slow_memory.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"))) is None

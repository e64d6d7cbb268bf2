"""The rule laptop_twin."""

from advisor.rules import laptop_twin
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = laptop_twin.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-4090-laptop")))
    assert found is not None


def test_silent_on_the_desktop_card() -> None:
    assert laptop_twin.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-4090"))) is None

"""The rule rent_or_colab."""

from advisor.rules import rent_or_colab
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = rent_or_colab.check(case(kind="which_gpu", gpus=cards("rx-6600-xt")))
    assert found is not None


def test_silent_with_a_large_card() -> None:
    assert rent_or_colab.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"))) is None

"""The rule amd_support."""

from advisor.rules import amd_support
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = amd_support.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rx-7900-xt", 4)))
    assert found is not None


def test_silent_on_nvidia() -> None:
    assert amd_support.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"))) is None

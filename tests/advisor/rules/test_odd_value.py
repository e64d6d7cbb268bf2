"""The rule odd_value."""

from advisor.rules import odd_value
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"), micro_batch=4096)
    assert odd_value.check(made) is not None


def test_silent() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"), micro_batch=4)
    assert odd_value.check(made) is None

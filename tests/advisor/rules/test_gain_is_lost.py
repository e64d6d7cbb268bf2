"""The rule gain_is_lost."""

from advisor.rules import gain_is_lost
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    made = case(
        model="meta-llama/Llama-3.1-8B",
        kind="compare_gpus",
        gpus=(*cards("h100-sxm"), *cards("a100-80gb-sxm")),
        symptoms=("no_gain",),
    )
    assert gain_is_lost.check(made) is not None


def test_silent() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"))
    assert gain_is_lost.check(made) is None

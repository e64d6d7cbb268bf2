"""The rule arm_board."""

from advisor.rules import arm_board
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("jetson-agx-orin-64gb"))
    assert arm_board.check(made) is not None


def test_silent() -> None:
    made = case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-3090"))
    assert arm_board.check(made) is None

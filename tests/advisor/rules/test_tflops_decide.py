"""The rule tflops_decide."""

from advisor.rules import tflops_decide
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = tflops_decide.check(
        case(kind="compare_gpus", gpus=cards("rtx-5090") + cards("rtx-4090"), claims=("tflops_decide",))
    )
    assert found is not None


def test_silent_without_it() -> None:
    assert tflops_decide.check(case(kind="compare_gpus", gpus=cards("rtx-5090") + cards("rtx-4090"))) is None

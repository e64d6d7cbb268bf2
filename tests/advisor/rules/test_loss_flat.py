"""The rule loss_flat."""

from advisor.rules import loss_flat
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = loss_flat.check(case(params_b=8.0, kind="time_estimate", gpus=cards("rtx-4090"), symptoms=("loss_flat",)))
    assert found is not None


def test_silent_without_it() -> None:
    assert loss_flat.check(case(params_b=8.0, kind="time_estimate", gpus=cards("rtx-4090"))) is None

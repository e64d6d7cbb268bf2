"""The rule split_70b_wants_ram."""

from advisor.rules import split_70b_wants_ram
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = split_70b_wants_ram.check(case(params_b=70.0, kind="multi_gpu", gpus=cards("rtx-3090", 2), method="qlora"))
    assert found is not None


def test_silent_for_a_7b() -> None:
    assert (
        split_70b_wants_ram.check(case(params_b=7.0, kind="multi_gpu", gpus=cards("rtx-3090", 2), method="qlora"))
        is None
    )

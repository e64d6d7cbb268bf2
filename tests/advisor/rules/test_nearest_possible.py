"""The rule nearest_possible."""

from advisor.rules import nearest_possible
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = nearest_possible.check(case(params_b=70.0, kind="fits_check", gpus=cards("rtx-3060-12gb")))
    assert found is not None


def test_silent_where_it_fits() -> None:
    assert nearest_possible.check(case(params_b=7.0, kind="fits_check", gpus=cards("rtx-3090"))) is None

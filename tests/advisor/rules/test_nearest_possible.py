"""The rule nearest_possible."""

from advisor.rules import nearest_possible
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = nearest_possible.check(case(params_b=70.0, kind="fits_check", gpus=cards("rtx-3060-12gb")))
    assert found is not None


def test_silent_where_it_fits() -> None:
    assert nearest_possible.check(case(params_b=7.0, kind="fits_check", gpus=cards("rtx-3090"))) is None


def test_on_a_small_card_the_display_has_its_share() -> None:
    small = nearest_possible.check(case(params_b=7.0, kind="fits_check", gpus=cards("gtx-1650")))
    assert small is not None
    assert small.facts["bare"]
    large = nearest_possible.check(case(params_b=70.0, kind="fits_check", gpus=cards("h100-sxm")))
    assert large is None or not large.facts["bare"]

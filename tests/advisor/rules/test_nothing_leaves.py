"""The rule nothing_leaves."""

from advisor.rules import nothing_leaves, rent_or_colab
from tests.advisor.rules.ask import cards, case

OWN = {"params_b": 7.0, "method": "qlora", "gpus": cards("rtx-4060")}


def test_says_what_to_bring_along() -> None:
    found = nothing_leaves.check(case(kind="fits_check", symptoms=("offline",), **OWN))
    assert found is not None
    assert found.facts["weights"] > 13e9


def test_private_data_stay_on_ones_own_card_and_nobody_is_sent_to_the_cloud() -> None:
    private = case(kind="fits_check", symptoms=("stays_home",), **OWN)
    found = nothing_leaves.check(private)
    assert found is not None
    assert not found.facts["offline"]
    assert rent_or_colab.check(private) is None
    assert rent_or_colab.check(case(kind="fits_check", **OWN)) is not None


def test_silent_where_it_does_not_fit_or_nobody_asks() -> None:
    large = case(kind="fits_check", params_b=70.0, gpus=cards("rtx-4060"), symptoms=("offline",))
    assert nothing_leaves.check(large) is None
    assert nothing_leaves.check(case(kind="fits_check", **OWN)) is None

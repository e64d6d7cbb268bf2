"""The rule supply_of_each."""

from advisor.rules import supply_of_each
from tests.advisor.rules.ask import card, case

CHOICE = {
    "kind": "compare_gpus",
    "gpus": (card("rtx-4060-ti-16gb"), card("rtx-3090")),
    "candidates": ((card("rtx-4060-ti-16gb"),), (card("rtx-3090"),)),
}


def test_each_choice_is_held_against_the_supply() -> None:
    for have, told in ((650.0, ["yes", "limited"]), (850.0, ["yes", "yes"]), (500.0, ["limited", "no"])):
        found = supply_of_each.check(case(supply_w=have, **CHOICE))
        assert found is not None
        assert [row["does"] for row in found.facts["each"]] == told


def test_two_cards_draw_twice_as_much() -> None:
    options = ((card("rtx-5090"),), (card("rtx-3090", 2),))
    found = supply_of_each.check(case(kind="compare_gpus", candidates=options, supply_w=850.0))
    assert found is not None
    assert [row["watts"] for row in found.facts["each"]] == [575, 700]


def test_silent_without_a_supply_or_a_choice() -> None:
    assert supply_of_each.check(case(**CHOICE)) is None
    assert supply_of_each.check(case(kind="fits_check", gpus=(card("rtx-3090"),), supply_w=650.0)) is None

"""The rule vram_twins."""

from advisor.rules import vram_twins
from tests.advisor.rules.ask import cards, case

TWINS = {"gpus": ("rtx-4060-ti-8gb", "rtx-4060-ti-16gb")}


def test_speaks_when_the_other_size_changes_the_answer() -> None:
    found = vram_twins.check(case(params_b=14.0, kind="fits_check", gpus=cards("rtx-4060-ti-8gb"), ambiguous=TWINS))
    assert found is not None
    assert found.facts["others"] == [["RTX 4060 Ti 16GB", 16.0, ["yes"]]]


def test_silent_when_the_size_was_named() -> None:
    assert vram_twins.check(case(params_b=14.0, kind="fits_check", gpus=cards("rtx-4060-ti-8gb"))) is None


def test_silent_when_both_hold_it() -> None:
    asked = case(params_b=1.0, kind="fits_check", gpus=cards("rtx-4060-ti-8gb"), ambiguous=TWINS)
    assert vram_twins.check(asked) is None


def test_a_conversion_is_no_twin() -> None:
    twins = {"gpus": ("rtx-4090", "rtx-4090-48gb", "rtx-4090-laptop")}
    assert vram_twins.check(case(params_b=32.0, kind="fits_check", gpus=cards("rtx-4090"), ambiguous=twins)) is None


def test_silent_where_neither_holds_it() -> None:
    """Hardly or not at all, on either: which one it is changes nothing."""
    asked = case(params_b=70.0, method="full", kind="fits_check", gpus=cards("rtx-4060-ti-16gb"), ambiguous=TWINS)
    assert vram_twins.check(asked) is None


def test_a_price_says_which_one_is_meant() -> None:
    twins = {"gpus": ("a100-80gb-sxm", "a100-40gb-sxm")}
    asked = {"kind": "cost_buy_vs_rent", "gpus": cards("a100-80gb-sxm"), "ambiguous": twins}
    assert vram_twins.check(case(**asked)) is not None
    assert vram_twins.check(case(**asked, budget=15000.0)) is None

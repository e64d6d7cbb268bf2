"""The rule for_free."""

from advisor.rules import for_free
from tests.advisor.rules.ask import cards, case


def test_speaks_of_what_the_free_card_holds() -> None:
    found = for_free.check(case(kind="which_gpu", params_b=7.0, symptoms=("no_money",)))
    assert found is not None
    assert found.facts["holds"]
    assert found.facts["need"] < found.facts["usable"]
    assert found.facts["hours"] is None  # nobody says how much data
    timed = for_free.check(case(kind="cost_buy_vs_rent", params_b=3.0, dataset_examples=10_000, symptoms=("no_money",)))
    assert timed is not None
    assert timed.facts["hours"]


def test_a_large_model_is_not_for_free() -> None:
    found = for_free.check(case(kind="which_gpu", params_b=32.0, symptoms=("no_money",)))
    assert found is not None
    assert not found.facts["holds"]


def test_silent_beside_a_card_of_ones_own_and_unasked() -> None:
    own = case(kind="fits_check", params_b=7.0, gpus=cards("rtx-3090"), symptoms=("no_money",))
    assert for_free.check(own) is None
    free = {"params_b": 7.0, "gpus": cards("t4"), "symptoms": ("no_money",)}
    assert for_free.check(case(kind="fits_check", **free)) is None  # it is named already
    assert for_free.check(case(kind="trainer_choice", params_b=7.0, symptoms=("no_money",))) is None
    assert for_free.check(case(kind="which_gpu", params_b=7.0)) is None

"""The rule whole_pc."""

from advisor.rules import whole_pc
from tests.advisor.rules.ask import case

ASKED = {"kind": "which_gpu", "currency": "EUR", "symptoms": ("whole_pc",)}


def test_the_rest_of_the_machine_is_paid_first() -> None:
    found = whole_pc.check(case(**ASKED, budget=2000.0))
    assert found is not None
    assert found.facts["left"] == 1000.0
    assert found.facts["card"]["name"] == "RTX 3090"
    assert found.facts["used"]


def test_too_little_for_a_machine() -> None:
    found = whole_pc.check(case(**ASKED, budget=800.0))
    assert found is not None
    assert found.facts["card"] is None


def test_silent_where_the_money_is_for_the_card() -> None:
    assert whole_pc.check(case(kind="which_gpu", budget=2000.0, currency="EUR")) is None

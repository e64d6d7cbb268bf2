"""The rule zero3_gathers."""

from advisor.rules import zero3_gathers
from tests.advisor.rules.ask import case


def test_the_split_is_named_before_the_trainer() -> None:
    asked = {"params_b": 7, "kind": "trainer_choice", "took_hours": 8}
    assert zero3_gathers.check(case(**asked, sharding="zero3")) is not None
    assert zero3_gathers.check(case(**asked, sharding="zero2")) is None


def test_silent_where_nothing_was_slow() -> None:
    assert zero3_gathers.check(case(params_b=7, kind="trainer_choice", sharding="zero3")) is None

"""The rule hour_price."""

from advisor.rules import hour_price
from tests.advisor.rules.ask import cards, case

H100 = {"params_b": 70.0, "method": "qlora", "gpus": cards("h100-sxm")}


def test_a_named_provider_is_priced_beside_the_hours() -> None:
    found = hour_price.check(case(kind="time_estimate", **H100, providers=("Lambda",)))
    assert found is not None
    assert found.facts["offers"][0][0] == "Lambda"
    low, high = found.facts["offers"][0][1]
    hours = found.facts["run"]
    assert found.facts["cost"] == ((hours[0] + 1) * low, (hours[1] + 1) * high)
    assert found.facts["unpriced"] == []


def test_without_a_card_the_cheapest_that_holds_it_stands_in() -> None:
    found = hour_price.check(case(kind="fits_check", params_b=8.0, method="qlora", also="cost_buy_vs_rent"))
    assert found is None  # without a card that is the question which one
    asked = case(kind="time_estimate", params_b=8.0, method="qlora", dataset_examples=5000, also="cost_buy_vs_rent")
    told = hour_price.check(asked)
    assert told is not None
    assert told.facts["card"]["name"] == "RTX 3090"


def test_silent_without_a_price_asked_for() -> None:
    assert hour_price.check(case(kind="time_estimate", **H100)) is None
    assert hour_price.check(case(kind="cost_buy_vs_rent", **H100, providers=("Lambda",))) is None

"""The rule making_data_costs."""

from advisor.rules import making_data_costs
from tests.advisor.rules.ask import case


def test_translating_is_a_bill_beside_the_training() -> None:
    found = making_data_costs.check(
        case(kind="cost_buy_vs_rent", params_b=7.0, dataset_examples=52_000, symptoms=("translates_data",))
    )
    assert found is not None
    assert found.gravity == "warn"
    assert [round(usd) for usd in found.facts["usd"]] == [8, 25]


def test_writing_is_the_answer_where_no_training_is_named() -> None:
    found = making_data_costs.check(case(kind="cost_buy_vs_rent", symptoms=("writes_data",)))
    assert found is not None
    assert found.gravity == "stop"
    assert [round(usd, 1) for usd in found.facts["usd"]] == [9.6, 50.5]


def test_silent() -> None:
    assert making_data_costs.check(case(kind="cost_buy_vs_rent", params_b=7.0, dataset_examples=52_000)) is None
    assert making_data_costs.check(case(kind="fits_check", params_b=7.0, symptoms=("writes_data",))) is None


def test_without_a_number_a_first_hundred_is_priced_too() -> None:
    """Reported: 5.05 USD for 100 examples by GPT-4."""
    found = making_data_costs.check(case(kind="cost_buy_vs_rent", symptoms=("writes_data",)))
    assert found is not None
    assert found.facts["few"][0] == 100
    assert found.facts["few"][1][1] == 5.05
    stated = making_data_costs.check(case(kind="cost_buy_vs_rent", symptoms=("writes_data",), dataset_examples=400))
    assert stated is not None
    assert stated.facts["few"] is None

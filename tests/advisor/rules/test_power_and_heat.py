"""The rule power_and_heat."""

import pytest

from advisor.advisor import advise
from advisor.rules import power_and_heat
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = power_and_heat.check(case(model="meta-llama/Llama-3.1-8B", kind="multi_gpu", gpus=cards("rtx-3090", 2)))
    assert found is not None


def test_a_switch_off_is_the_supply_with_one_card_and_with_none_named() -> None:
    one = power_and_heat.check(case(kind="oom_help", gpus=cards("rtx-5090"), symptoms=("switches_off",)))
    assert one is not None
    assert one.facts["supply"] >= 900
    none = power_and_heat.check(case(kind="oom_help", symptoms=("switches_off",)))
    assert none is not None
    assert none.facts["card"] is None


def test_silent_with_small_cards() -> None:
    assert power_and_heat.check(case(model="meta-llama/Llama-3.1-8B", kind="multi_gpu", gpus=cards("t4", 2))) is None


def test_silent_where_the_cards_run_already() -> None:
    slow = case(params_b=8.0, kind="multi_gpu", gpus=cards("rtx-4090", 2), symptoms=("no_gain",))
    assert power_and_heat.check(slow) is None


def test_who_asks_for_the_supply_gets_it_first_with_what_a_weekend_costs() -> None:
    found = power_and_heat.check(case(kind="multi_gpu", gpus=cards("rtx-4090", 2), symptoms=("asks_power",)))
    assert found is not None
    assert found.gravity == "stop"
    assert found.facts["supply"] == 1400
    assert 0.7 < found.facts["kwh"] < 1.1
    one = power_and_heat.check(case(kind="cost_buy_vs_rent", gpus=cards("rtx-3090"), symptoms=("asks_power",)))
    assert one is not None
    assert 15 < one.facts["weekend"][0] < 25


def test_whether_a_stated_supply_does() -> None:
    for cards_, have, told in ((1, 1000.0, "yes"), (1, 750.0, "limited"), (1, 500.0, "no"), (2, 750.0, "no")):
        found = power_and_heat.check(
            case(kind="multi_gpu", gpus=cards("rtx-4090", cards_), symptoms=("asks_power",), supply_w=have)
        )
        assert found is not None
        assert found.facts["will_do"] == told


@pytest.mark.parametrize(
    ("language", "first"), [("en", "**Only with a power limit: 750 W"), ("de", "**Nur mit Powerlimit: 750 W")]
)
def test_a_card_s_supply_is_answered_where_no_training_is_told(language: str, first: str) -> None:
    made = case(kind="off_topic", gpus=cards("rtx-4090"), symptoms=("asks_power",), supply_w=750.0)
    text = render(advise(made.query, load_catalog()), language).text
    assert text.startswith(first)
    assert "Not mine" not in text
    assert "Nicht mein" not in text


def test_cards_in_several_machines_have_several_supplies() -> None:
    for nodes, told in ((1, True), (2, False)):
        found = power_and_heat.check(case(kind="multi_gpu", gpus=cards("rtx-3090", 2), n_gpus=2, nodes=nodes))
        assert (found is not None) == told

"""The rule language_by_base."""

from advisor.rules import language_by_base
from tests.advisor.rules.ask import cards, case


def test_speaks_and_weighs_the_larger_base() -> None:
    made = case(params_b=7.0, kind="method_choice", models=("30B",), claims=("language_by_base",))
    found = language_by_base.check(made)
    assert found is not None
    assert found.facts["larger"] == "30B"
    assert found.facts["fits"]


def test_a_small_card_does_not_hold_it() -> None:
    made = case(params_b=7.0, kind="data_size_quality", gpus=cards("t4"), models=("30B",), claims=("language_by_base",))
    found = language_by_base.check(made)
    assert found is not None
    assert not found.facts["fits"]


def test_speaks_without_a_model() -> None:
    assert language_by_base.check(case(kind="data_size_quality", claims=("language_by_base",))) is not None


def test_silent() -> None:
    assert language_by_base.check(case(params_b=7.0, kind="method_choice", models=("30B",))) is None


def test_a_larger_base_that_lora_does_not_hold_is_offered_with_qlora() -> None:
    found = language_by_base.check(
        case(params_b=7.0, kind="method_choice", method="lora", models=("30B",), claims=("language_by_base",))
    )
    assert found is not None
    assert found.facts["method"] == "qlora"
    assert found.facts["fits"]

"""The rule jax_takes_one_card."""

from advisor.rules import jax_takes_one_card
from tests.advisor.rules.ask import cards, case


def test_it_is_the_answer_where_a_run_died_on_several_cards() -> None:
    gpus = cards("t4", 2)
    found = jax_takes_one_card.check(
        case(kind="oom_help", model="google/gemma-2b", gpus=gpus, symptoms=("uses_jax", "oom_load"))
    )
    assert found is not None
    assert found.gravity == "stop"
    assert found.facts["full"] > 40e9 > found.facts["lora"]


def test_silent_without_it() -> None:
    assert jax_takes_one_card.check(case(kind="fits_check", params_b=8.0, gpus=cards("t4", 2))) is None

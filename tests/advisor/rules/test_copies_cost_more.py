"""The rule copies_cost_more."""

from advisor.rules import copies_cost_more
from tests.advisor.rules.ask import cards, case

TWO = {"kind": "multi_gpu", "params_b": 8.0, "method": "lora", "gpus": cards("rtx-3090", 2)}


def test_a_copy_takes_more_than_one_card_alone() -> None:
    found = copies_cost_more.check(case(**TWO, symptoms=("more_per_card",)))
    assert found is not None
    assert found.facts["copied"] > found.facts["alone"]


def test_silent_unasked() -> None:
    assert copies_cost_more.check(case(**TWO)) is None

"""The rule first_card_fuller."""

from advisor.rules import first_card_fuller
from tests.advisor.rules.ask import cards, case

RUN = {"kind": "oom_help", "params_b": 8.0, "symptoms": ("oom_step", "first_card_fuller")}


def test_speaks_of_several_cards() -> None:
    found = first_card_fuller.check(case(**RUN, gpus=cards("a100-40gb-pcie", 4)))
    assert found is not None
    assert found.facts["count"] == 4


def test_silent_on_one_card() -> None:
    assert first_card_fuller.check(case(**RUN, gpus=cards("a100-40gb-pcie"))) is None


def test_silent_unasked() -> None:
    asked = RUN | {"symptoms": ("oom_step",)}
    assert first_card_fuller.check(case(**asked, gpus=cards("a100-40gb-pcie", 4))) is None


def test_layers_over_the_cards_are_uneven_by_design() -> None:
    asked = {"kind": "oom_help", "model": "google/gemma-2-2b", "method": "qlora", "gpus": cards("t4", 2)}
    found = first_card_fuller.check(case(**asked, sharding="pipeline", symptoms=("oom_step", "first_card_fuller")))
    assert found is not None
    assert found.facts["layered"]
    assert found.facts["alone"]

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


def test_a_copy_in_16_bit_fills_a_card() -> None:
    run = RUN | {"params_b": 9.0}
    found = first_card_fuller.check(case(**run, gpus=cards("a10", 3)))
    assert found is not None
    assert found.facts["unsplit"]["weights"] == 18 * 10**9


def test_what_is_split_or_small_fills_it_otherwise() -> None:
    split = first_card_fuller.check(case(**RUN | {"params_b": 9.0}, gpus=cards("a10", 3), sharding="zero3"))
    small = first_card_fuller.check(case(**RUN | {"params_b": 3.0}, gpus=cards("a10", 3)))
    assert split is not None
    assert small is not None
    assert split.facts["unsplit"] is small.facts["unsplit"] is None

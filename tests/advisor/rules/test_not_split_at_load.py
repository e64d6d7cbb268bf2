"""The rule not_split_at_load."""

from advisor.rules import not_split_at_load
from tests.advisor.rules.ask import cards, case

LORA = {"params_b": 30.0, "method": "lora", "kind": "multi_gpu", "gpus": cards("a100-80gb-sxm", 8)}


def test_says_what_each_card_should_show() -> None:
    found = not_split_at_load.check(case(**LORA, sharding="zero3", symptoms=("split_saves_nothing",)))
    assert found is not None
    assert found.facts["each"] == found.facts["whole"] // 8
    assert (found.facts["way"], found.facts["adapters"]) == ("zero3", True)


def test_silent_where_only_states_are_split() -> None:
    assert not_split_at_load.check(case(**LORA, sharding="zero2", symptoms=("split_saves_nothing",))) is None


def test_silent_without_it() -> None:
    assert not_split_at_load.check(case(**LORA, sharding="zero3")) is None


LOADS = {"params_b": 70.0, "method": "qlora", "kind": "multi_gpu", "sharding": "fsdp", "symptoms": ("oom_load",)}


def test_cards_that_fill_while_loading_hold_copies() -> None:
    found = not_split_at_load.check(case(**LOADS, n_gpus=4, gpus=cards("rtx-3090", 4)))
    assert found is not None
    assert found.facts["at_load"]
    assert found.facts["load_16"] == 140 * 10**9


def test_what_does_not_fit_split_either_is_too_large() -> None:
    assert not_split_at_load.check(case(**LOADS, n_gpus=2, gpus=cards("rtx-3090", 2))) is None


def test_a_copy_that_fits_fills_nothing() -> None:
    small = LOADS | {"params_b": 7.0}
    assert not_split_at_load.check(case(**small, n_gpus=4, gpus=cards("rtx-3090", 4))) is None

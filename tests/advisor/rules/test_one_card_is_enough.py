"""The rule one_card_is_enough."""

from advisor.rules import one_card_is_enough
from tests.advisor.rules.ask import cards, case

FOUR = {"params_b": 8.0, "method": "qlora", "gpus": cards("a40", 4), "symptoms": ("oom_step",)}


def test_nothing_to_split_or_offload() -> None:
    found = one_card_is_enough.check(case(**FOUR, sharding="fsdp", offload="params", ram_gb=16.0))
    assert found is not None
    assert found.facts["lean"] < found.facts["usable"]
    assert found.facts["load"] > 11_000_000_000


def test_ram_that_holds_the_weights_is_no_matter() -> None:
    found = one_card_is_enough.check(case(**FOUR, sharding="zero3", offload="optimizer", ram_gb=128.0))
    assert found is not None
    assert found.facts["load"] is None


def test_silent_where_one_card_does_not_hold_it() -> None:
    asked = {**FOUR, "params_b": 70.0, "gpus": cards("rtx-3090", 2)}
    assert one_card_is_enough.check(case(**asked, sharding="fsdp", offload="params")) is None


def test_silent_where_all_weights_are_trained() -> None:
    assert one_card_is_enough.check(case(**{**FOUR, "method": "full"}, sharding="fsdp", offload="params")) is None


def test_silent_where_nothing_died() -> None:
    assert one_card_is_enough.check(case(**{**FOUR, "symptoms": ()}, sharding="fsdp", offload="params")) is None


def test_silent_without_offload() -> None:
    assert one_card_is_enough.check(case(**FOUR, sharding="fsdp")) is None


def test_silent_on_one_card() -> None:
    assert one_card_is_enough.check(case(**{**FOUR, "gpus": cards("a40")}, sharding="fsdp", offload="params")) is None

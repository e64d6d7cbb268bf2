"""The rule nothing_to_split."""

from typing import Any

from advisor.rules import nothing_to_split
from tests.advisor.rules.ask import cards, case

ONE: dict[str, Any] = {
    "params_b": 13.0,
    "method": "lora",
    "kind": "multi_gpu",
    "sharding": "zero3",
    "n_gpus": 1,
    "gpus": cards("rtx-4090"),
}


def test_one_card_has_nothing_to_share() -> None:
    found = nothing_to_split.check(case(**ONE))
    assert found is not None
    assert found.facts["fit"] in ("no", "unlikely")
    assert found.facts["four"] < found.facts["usable"] < found.facts["need"]
    assert found.facts["ram"] > found.facts["offloaded"]


def test_silent_on_several_cards_or_with_offload() -> None:
    assert nothing_to_split.check(case(**ONE | {"gpus": cards("rtx-4090", 2), "n_gpus": 2})) is None
    assert nothing_to_split.check(case(**ONE, offload="params")) is None
    assert nothing_to_split.check(case(**ONE | {"sharding": "ddp"})) is None

"""The rule slower_than_told."""

from advisor.rules import slower_than_told
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    slow = {"kind": "time_estimate", "params_b": 30.0, "method": "qlora", "symptoms": ("slower_than_told",)}
    found = slower_than_told.check(case(**slow, dataset_examples=52_002, micro_batch=1))
    assert found is not None
    assert found.facts["times"] > 5
    assert found.facts["batch_one"]
    few = slower_than_told.check(case(**slow, dataset_examples=1_000))
    assert few is not None
    assert few.facts["times"] is None


def test_silent() -> None:
    assert slower_than_told.check(case(kind="time_estimate", params_b=30.0, method="qlora")) is None


def test_silent_where_our_count_too_is_far_below() -> None:
    slow = {"kind": "time_estimate", "params_b": 7.0, "method": "qlora", "symptoms": ("slower_than_told",)}
    slots = slow | {"gpus": cards("h100-sxm"), "dataset_examples": 10_000, "tokens_per_example": 512, "epochs": 1.0}
    assert slower_than_told.check(case(**slots, took_hours=100.0)) is None
    assert slower_than_told.check(case(**slots)) is not None

"""The rule slower_than_told."""

from advisor.rules import slower_than_told
from tests.advisor.rules.ask import case


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

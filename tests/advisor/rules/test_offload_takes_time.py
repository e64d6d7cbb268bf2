"""The rule offload_takes_time."""

from typing import Any

from advisor.rules import offload_takes_time
from tests.advisor.rules.ask import cards, case

SLOW: dict[str, Any] = {
    "params_b": 7.0,
    "method": "full",
    "offload": "optimizer",
    "kind": "time_estimate",
    "gpus": cards("rtx-4090"),
    "symptoms": ("slow",),
}


def test_what_moves_in_a_step_and_what_needs_no_offload() -> None:
    found = offload_takes_time.check(case(**SLOW))
    assert found is not None
    assert 26e9 < found.facts["moved"] < 29e9
    assert found.facts["fits"]


def test_silent_without_a_complaint_or_with_adapters() -> None:
    assert offload_takes_time.check(case(**SLOW | {"symptoms": ()})) is None
    assert offload_takes_time.check(case(**SLOW | {"method": "lora"})) is None
    assert offload_takes_time.check(case(**SLOW | {"symptoms": ("slow", "oom_step")})) is None

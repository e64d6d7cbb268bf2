"""The rule merging_killed."""

from advisor.rules import merging_killed
from tests.advisor.rules.ask import case

KILLED = {"params_b": 72.0, "method": "lora", "kind": "system_ram", "symptoms": ("killed", "exports")}


def test_enough_in_16_bit_and_not_in_fp32() -> None:
    found = merging_killed.check(case(**KILLED, ram_gb=252.0))
    assert found is not None
    assert found.facts["merge"] < 252e9 < found.facts["fp32"]
    assert found.facts["over"]


def test_silent_where_it_is_too_little_or_nothing_is_merged() -> None:
    assert merging_killed.check(case(**KILLED, ram_gb=64.0)) is None
    assert merging_killed.check(case(**KILLED | {"symptoms": ("killed",)}, ram_gb=252.0)) is None

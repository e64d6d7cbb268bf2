"""The rule converting_killed."""

from typing import Any

from advisor.rules import converting_killed
from tests.advisor.rules.ask import cards, case

BIG: dict[str, Any] = {
    "model": "Qwen/Qwen3-235B-A22B",
    "method": "lora",
    "kind": "system_ram",
    "gpus": cards("h100-sxm", 8),
    "ram_gb": 1000.0,
}


def test_two_copies_and_a_wide_one() -> None:
    found = converting_killed.check(case(**BIG, symptoms=("killed", "converts")))
    assert found is not None
    assert found.facts["twice"] < 1e12 < found.facts["compared"]
    assert found.facts["trained"] is not None


def test_silent_where_nothing_is_converted_or_nothing_died() -> None:
    assert converting_killed.check(case(**BIG, symptoms=("killed",))) is None
    assert converting_killed.check(case(**BIG, symptoms=("converts",))) is None


def test_megatron_splits_experts_and_gathers_nothing() -> None:
    found = converting_killed.check(case(**BIG, trainer="megatron", symptoms=("killed", "converts")))
    assert found is not None
    assert found.facts["trained"] is None
    assert found.facts["shard"] < found.facts["usable"]
    few = converting_killed.check(
        case(**(BIG | {"gpus": cards("h100-sxm", 4)}), trainer="megatron", symptoms=("killed", "converts"))
    )
    assert few is not None
    assert few.facts["shard"] is None

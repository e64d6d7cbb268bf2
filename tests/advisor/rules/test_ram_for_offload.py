"""The rule ram_for_offload."""

from advisor.rules import ram_for_offload
from tests.advisor.rules.ask import cards, case

BIG = {"kind": "oom_help", "params_b": 33.0, "method": "full", "sharding": "zero3", "symptoms": ("oom_step",)}


def test_speaks_where_the_ram_holds_the_states() -> None:
    found = ram_for_offload.check(case(**BIG, gpus=cards("a800-80gb-sxm", 8), ram_gb=1200.0))
    assert found is not None
    assert found.facts["ram"] < 1200 * 2**30


def test_silent_with_little_ram_and_with_adapters() -> None:
    assert ram_for_offload.check(case(**BIG, gpus=cards("a800-80gb-sxm", 8), ram_gb=128.0)) is None
    assert ram_for_offload.check(case(**BIG, gpus=cards("a800-80gb-sxm", 8))) is None
    lora = BIG | {"method": "lora"}
    assert ram_for_offload.check(case(**lora, gpus=cards("rtx-3090"), ram_gb=1200.0)) is None

"""The rule loads_through_ram."""

from advisor.rules import loads_through_ram
from tests.advisor.rules.ask import cards, case

KILLED = {"params_b": 7.0, "kind": "system_ram", "method": "lora", "symptoms": ("killed",)}


def test_a_free_notebook() -> None:
    found = loads_through_ram.check(case(**KILLED, gpus=cards("t4")))
    assert found is not None
    assert found.facts["free"]
    assert found.facts["packed"] < found.facts["weights"] // 2


def test_little_ram_of_ones_own() -> None:
    found = loads_through_ram.check(case(**KILLED, gpus=cards("rtx-4090"), ram_gb=16.0))
    assert found is not None
    assert not found.facts["free"]


def test_silent_elsewhere() -> None:
    for slots in (
        {"gpus": cards("rtx-4090"), "ram_gb": 128.0},
        {"gpus": cards("rtx-4090")},
        {"gpus": cards("t4"), "symptoms": ("killed", "oom_merge")},
        {"gpus": cards("a100-80gb-sxm", 8)},
        {"gpus": cards("t4"), "method": "full"},
    ):
        assert loads_through_ram.check(case(**KILLED | slots)) is None

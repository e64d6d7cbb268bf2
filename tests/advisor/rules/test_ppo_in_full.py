"""The rule ppo_in_full."""

from advisor.rules import ppo_in_full
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    four = {"params_b": 7.0, "algorithm": "ppo", "kind": "fits_check", "gpus": cards("a100-40gb-pcie", 4)}
    wished = ppo_in_full.check(case(**four, method="lora", named={"method": ("full", "lora")}))
    assert wished is not None
    assert wished.gravity == "warn"
    assert not wished.facts["fits"]
    stated = ppo_in_full.check(case(**(four | {"gpus": cards("a100-80gb-sxm", 8)}), method="full"))
    assert stated is not None
    assert stated.gravity == "stop"
    assert stated.facts["fits"]


def test_silent() -> None:
    four = {"params_b": 7.0, "kind": "fits_check", "gpus": cards("a100-40gb-pcie", 4)}
    assert ppo_in_full.check(case(**four, algorithm="ppo", method="lora")) is None
    assert ppo_in_full.check(case(**four, algorithm="grpo", method="full")) is None

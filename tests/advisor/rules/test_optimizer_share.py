"""The rule optimizer_share."""

from advisor.rules import optimizer_share
from tests.advisor.rules.ask import case

LLAMA = {"kind": "context_length", "model": "meta-llama/Llama-3.1-8B"}
ASKED = {"symptoms": ("asks_optimizer",)}


def test_an_adapter_has_few_parameters() -> None:
    """Rank 64 on all layers of Llama 3.1 8B: 167,772,160 parameters (PEFT's own count)."""
    found = optimizer_share.check(case(**LLAMA, **ASKED, method="lora", lora_rank=64))
    assert found is not None
    assert found.facts["trained"] == 167_772_160
    assert found.facts["wide"] == 8 * 167_772_160


def test_all_weights_have_many() -> None:
    found = optimizer_share.check(case(**LLAMA, **ASKED, method="full"))
    assert found is not None
    assert found.facts["trained"] > 8 * 10**9


def test_silent_unasked() -> None:
    assert optimizer_share.check(case(**LLAMA, method="lora")) is None

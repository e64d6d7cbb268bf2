"""The rule prequantised_does_not_shard."""

from advisor.rules import prequantised_does_not_shard
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = prequantised_does_not_shard.check(
        case(params_b=72.0, kind="multi_gpu", gpus=cards("rtx-4090", 2), quant="gptq")
    )
    assert found is not None


def test_silent_with_bitsandbytes() -> None:
    assert (
        prequantised_does_not_shard.check(case(params_b=72.0, kind="multi_gpu", gpus=cards("rtx-4090", 2), quant="nf4"))
        is None
    )

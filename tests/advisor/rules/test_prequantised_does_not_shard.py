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


def test_it_leads_only_where_the_model_is_split() -> None:
    awq = {"params_b": 70.0, "kind": "oom_help", "quant": "awq", "gpus": cards("l40s", 2)}
    copies, split = (prequantised_does_not_shard.check(case(**awq, **more)) for more in ({}, {"sharding": "fsdp"}))
    assert copies is not None
    assert split is not None
    assert (copies.gravity, split.gravity) == ("warn", "stop")

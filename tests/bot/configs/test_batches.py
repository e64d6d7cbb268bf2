"""What preferences and rewards ask of a run's batch, rate and optimizer."""

import pytest

from bot.configs import config_for
from bot.configs.algorithm import GROUP, LARGEST_GROUP, batch_of
from bot.configs.values import values_of
from knowledge.catalog import load_catalog

from .cases import advice, taught


@pytest.mark.parametrize("accum", [None, 1, 2, 3, 4, 5, 8, 11, 16])
@pytest.mark.parametrize("n_gpus", [1, 2, 8, 16])
@pytest.mark.parametrize("micro", [1, 2, 3, 4, 8, 11])
def test_groups_of_grpo_are_whole(micro: int, n_gpus: int, accum: int | None) -> None:
    batch = batch_of("grpo", micro, accum, n_gpus)
    assert batch.micro == micro
    assert 2 <= batch.group <= LARGEST_GROUP
    assert batch.micro * batch.accum % batch.group == 0
    if accum and any(micro * accum % size == 0 for size in range(2, LARGEST_GROUP + 1)):
        assert batch.accum == accum
    if not accum:
        assert batch.group == GROUP


def test_kto_compares_with_another_example_of_the_step() -> None:
    assert batch_of("kto", 1, None, 1).micro == 2
    assert batch_of("kto", 4, None, 1).micro == 4
    assert batch_of("dpo", 1, None, 1).micro == 1
    assert "KTO needs at least two" in config_for(taught(advice(), "kto"), "trl")
    assert "KTO needs at least two" not in config_for(taught(advice(micro_batch=2), "kto"), "trl")


@pytest.mark.parametrize(
    ("algorithm", "full", "lora"), [("dpo", 1e-6, 5e-6), ("grpo", 1e-6, 5e-6), ("sft", 1e-5, 2e-4)]
)
def test_preferences_learn_slower(algorithm: str, full: float, lora: float) -> None:
    for method, rate in (("full", full), ("qlora", lora)):
        values = values_of(taught(advice(method=method), algorithm), load_catalog())
        assert values is not None
        assert values.learning_rate == rate


def test_a_mac_gets_no_eight_bit_optimizer() -> None:
    assert 'optim="adamw_torch"' in config_for(taught(advice("apple-m4-max"), "dpo"))
    assert 'optim="adamw_8bit"' in config_for(taught(advice("rtx-3090"), "dpo"))

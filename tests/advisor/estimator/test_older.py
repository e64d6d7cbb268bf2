"""Layers of architectures before Llama against the oracle: bytes that one layer keeps per token, in multiples of h.

transformers 5.24 in pure bf16, two depths; h 1,024, 16 heads, an MLP of 4 h. Under autocast the oracle follows the
CPU's list of operations, so only what does not depend on it is compared here.
"""

import pytest

from advisor.estimator import resolve
from advisor.estimator.activations import layer_bytes
from advisor.query import SetUp
from knowledge.catalog import load_catalog

H = 1024


def kept(kind, method, targets="all-linear", **slots):
    arch = {"hidden_size": H, "layers": 4, "heads": 16, "intermediate_size": 4 * H, "vocab_size": 32_000}
    setup = SetUp(
        arch=arch | {"model_type": kind},
        method=method,
        trainer="hf",
        autocast=False,
        grad_checkpointing=False,
        attention="flash",
        lora_rank=8,
        lora_targets=targets,
        seq_len=512,
        micro_batch=2,
        lora_dropout=0.0,
        **slots,
    )
    return layer_bytes(resolve(setup, load_catalog())) / H


@pytest.mark.parametrize(("kind", "full"), [("gpt2", 58.15), ("gptj", 52.36), ("gpt_neox", 36.15), ("opt", 26.16)])
def test_full_fine_tuning_keeps_what_the_oracle_counts(kind, full):
    assert kept(kind, "full") == pytest.approx(full, abs=0.3)


@pytest.mark.parametrize(("kind", "lora"), [("gpt2", 74.23), ("gptj", 78.52), ("gpt_neox", 50.23), ("opt", 58.29)])
def test_lora_keeps_what_the_oracle_counts(kind, lora):
    assert kept(kind, "lora") == pytest.approx(lora, abs=0.3)  # less the adapters themselves


def test_cuda_widens_powers_and_norms_under_autocast():
    plan = resolve(SetUp(model="openai-community/gpt2", method="full", trainer="hf"), load_catalog())
    assert plan.autocast
    assert plan.trainable_bytes == 4
    wide = layer_bytes(plan) / plan.shape.hidden
    assert wide == pytest.approx(2 * 4 + 2 + 2 + 8 + 4 * 14 + 8 + 2, abs=0.3)

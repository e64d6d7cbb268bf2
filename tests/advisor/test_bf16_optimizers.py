"""Optimizers that were made for bf16 weights are not counted over fp32 ones."""

import pytest

from advisor.stacks import BF16_OPTIMIZERS, GIB
from tests.advisor.rules.ask import cards, case


@pytest.mark.parametrize("optimizer", sorted(BF16_OPTIMIZERS))
def test_one_figure_in_bf16(optimizer: str) -> None:
    asked = case(params_b=8.0, method="full", optimizer=optimizer, kind="oom_help", gpus=cards("a100-80gb-sxm"))
    by_layer = ["galore_by_layer"] if optimizer == "galore_adamw" else []
    assert [need.stack for need in asked.needs()] == [*by_layer, "pure_bf16"]


def test_galore_takes_about_what_was_seen() -> None:
    """Mistral 7B sat at 58 GB on an A100, Llama 3 8B needs more; no 118 GiB of fp32 weights and gradients."""
    asked = case(
        model="meta-llama/Meta-Llama-3-8B", method="full", optimizer="galore_adamw", kind="oom_help",
        gpus=cards("a100-80gb-sxm"), symptoms=("oom_step",),
    )  # fmt: skip
    assert 35 < asked.needs()[-1].device / GIB < 60

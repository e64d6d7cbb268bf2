"""Changes that make a set-up fit: what is offered before the method itself is changed."""

from typing import Any

import pytest

from advisor.stacks import GIB
from bot.renderer import render
from tests.advisor.rules.ask import cards, case


def _slots(**slots: Any) -> list[tuple[str, str]]:
    advice = case(kind="fits_check", params_b=8.0, method="full", gpus=cards("a100-40gb-pcie", 4), **slots).advice
    assert advice is not None
    return [(change.slot, change.value) for change in advice.changes]


def test_deepspeed_moves_the_optimizers_states_before_all_weights_are_given_up() -> None:
    assert _slots(sharding="zero3", trainer="deepspeed") == [("offload", "optimizer")]


def test_what_is_offloaded_already_is_not_offered() -> None:
    assert ("offload", "optimizer") not in _slots(sharding="zero3", trainer="deepspeed", offload="optimizer")


@pytest.mark.parametrize(("language", "words"), [("en", "optimizer states offloaded"), ("de", "Optimizer-Zustände in")])
def test_what_is_moved_is_named(language: str, words: str) -> None:
    slots = {"sharding": "zero3", "trainer": "deepspeed", "seq_len": 2048}
    advice = case(kind="fits_check", params_b=8.0, method="full", gpus=cards("a100-40gb-pcie", 4), **slots).advice
    assert advice is not None
    assert words in render(advice, language).text


def test_unsloth_fuses_the_loss_of_pairs_when_told_to() -> None:
    pairs = {"kind": "fits_check", "params_b": 8.0, "method": "qlora", "seq_len": 4096, "gpus": cards("rtx-3060-12gb")}
    advice = case(**pairs, algorithm="orpo", trainer="unsloth").advice
    assert advice is not None
    assert [change.slot for change in advice.changes] == ["loss"]
    assert "UNSLOTH_FUSED_PREFERENCE_LOSS=1" in render(advice, "en").text
    assert "UNSLOTH_FUSED_PREFERENCE_LOSS=1" in render(advice, "de").text


def test_where_only_fp32_trains_no_change_goes_below_it() -> None:
    asked = {"kind": "fits_check", "params_b": 8.0, "method": "full", "compute_dtype": "fp32"}
    advice = case(**asked, gpus=cards("a100-40gb-pcie"), symptoms=("only_fp32",)).advice
    assert advice is not None
    assert [(change.slot, change.value) for change in advice.changes] == [("method", "lora")]
    assert advice.changes[0].after > 4 * 8e9  # four bytes a weight


def test_unsloths_loader_of_experts_is_not_told_as_a_fused_loss() -> None:
    """A fused loss alone leaves 57 GiB of experts in 16 bit."""
    slots = {"kind": "oom_help", "model": "Qwen/Qwen3-30B-A3B", "method": "qlora", "symptoms": ("oom_step",)}
    advice = case(**slots, gpus=cards("l40s"), seq_len=4096).advice
    assert advice is not None
    assert advice.changes[0].slot == "experts"
    assert "experts in 4 bit (Unsloth, Axolotl)" in render(advice, "en").text
    assert "Experten in 4 Bit (Unsloth, Axolotl)" in render(advice, "de").text


def test_offloaded_checkpoints_say_what_ram_they_take() -> None:
    """One layer's input for each token: 80 layers x 32,768 x 8,192 x 2 bytes = 40 GiB a card, eight of them."""
    asked = case(
        kind="context_length", params_b=70.0, method="qlora", seq_len=32768, sharding="fsdp",
        gpus=cards("a100-80gb-sxm", 8), symptoms=("oom_step",),
    )  # fmt: skip
    assert asked.advice is not None
    offloaded = next(change for change in asked.advice.changes if change.slot == "activation_offload")
    assert offloaded.ram is not None
    assert 8 * 40 * GIB <= offloaded.ram < 2 * 8 * 40 * GIB


def test_a_change_that_fits_on_the_stock_loss_too_needs_no_other_trainer() -> None:
    """14B with LoRA on 24 GB: QLoRA is 12.3 GiB on Unsloth and fits with PEFT alone as well."""
    slots = {"kind": "fits_check", "model": "Qwen/Qwen2.5-14B", "method": "lora", "gpus": cards("rtx-3090")}
    advice = case(**slots, seq_len=2048).advice
    assert advice is not None
    assert [change.slot for change in advice.changes] == ["method"]

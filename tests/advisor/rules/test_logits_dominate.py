"""The rule logits_dominate."""

import pytest

from advisor.rules import logits_dominate
from bot.renderer import finding
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = logits_dominate.check(
        case(
            model="google/gemma-2b",
            kind="fits_check",
            gpus=cards("rtx-3090"),
            trainer="hf",
            method="lora",
            seq_len=8192,
        )
    )
    assert found is not None


def test_silent_at_a_short_length() -> None:
    assert (
        logits_dominate.check(
            case(model="huggyllama/llama-7b", kind="fits_check", gpus=cards("rtx-3090"), trainer="unsloth", seq_len=512)
        )
        is None
    )


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_kernels_are_advised_that_the_card_does_not_run(language: str) -> None:
    """Pascal has no Triton: shorter examples, or a loss in tiles that is plain PyTorch."""
    asked = {"model": "Qwen/Qwen2.5-7B-Instruct", "kind": "oom_help", "method": "qlora", "seq_len": 4096}
    for gpu, works in (("gtx-1080-ti", False), ("rtx-3090", True)):
        found = logits_dominate.check(case(**asked, gpus=cards(gpu), symptoms=("oom_step",), trainer="hf"))
        assert found is not None
        assert found.facts["triton"] is works
        assert ("TRL" in finding(found.model_copy(update={"code": "logits_dominate"}), language)) is not works


def test_they_are_counted_at_the_length_that_the_answer_tells() -> None:
    """How long may it be? All of Llama 3's 8,192 tokens: of those, not of 2,048."""
    asked = case(
        model="meta-llama/Meta-Llama-3-8B", kind="context_length", method="lora", trainer="deepspeed",
        sharding="zero3", offload="params", gpus=cards("rtx-4090", 4),
    )  # fmt: skip
    found = logits_dominate.check(asked)
    assert found is not None
    assert found.facts["tokens"] == 8192
    stated = case(model="meta-llama/Meta-Llama-3-8B", kind="context_length", seq_len=4096, gpus=cards("rtx-4090"))
    told = logits_dominate.check(stated)
    assert told is not None
    assert told.facts["tokens"] == 4096


def test_what_a_fused_loss_saves_in_all_may_be_less_than_the_logits() -> None:
    """24B over two cards at 8k: 12 GiB of logits, 6 GiB less in all, for the layers are the next peak."""
    asked = case(
        model="mistralai/Mistral-Small-24B-Base-2501", kind="fits_check", method="qlora", seq_len=8192,
        gpus=cards("rtx-5060-ti-16gb", 2), sharding="fsdp",
    )  # fmt: skip
    found = logits_dominate.check(asked)
    assert found is not None
    assert asked.advice is not None
    fused = next(change for change in asked.advice.changes if change.slot == "fused_loss")
    assert found.facts["saves"] == fused.saves < 0.8 * found.facts["logits"]

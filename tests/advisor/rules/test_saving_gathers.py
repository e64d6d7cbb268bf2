"""The rule saving_gathers."""

import pytest

from advisor.advisor import advise
from advisor.rules import saving_gathers
from bot import pipeline
from bot.messages import Question
from bot.renderer import render
from knowledge.catalog import load_catalog
from tests.advisor.rules.ask import cards, case

SLOTS = {"params_b": 13.0, "kind": "system_ram", "gpus": cards("a100-40gb-sxm", 8)}


def test_a_copy_in_fp32_for_each_rank() -> None:
    found = saving_gathers.check(case(**SLOTS, symptoms=("killed", "at_the_end")))
    assert found is not None
    assert found.facts["copy"] > 4 * 12e9
    assert found.facts["all"] == 8 * found.facts["copy"]


def test_silent_while_it_trains() -> None:
    assert saving_gathers.check(case(**SLOTS, symptoms=("killed",))) is None
    assert saving_gathers.check(case(**SLOTS, symptoms=("oom_step", "at_the_end"))) is None


@pytest.mark.parametrize(
    "text",
    [
        "full SFT of qwen3 30b a3b on 8x H200, zero2_offload. training and final validation finish, then SIGKILL -9",
        "8x A100, full finetune 8B zero3, eval is done, then it gets killed with -9, RAM 1 TB",
        "13B full on 8x A100, fsdp: trainer finishes 3 epochs, then SIGKILL while writing the checkpoint",
        "Auswertung noch durch, dann SIGKILL -9. 13B volles Fine-Tuning auf 8x A100 mit zero3",
    ],
)
def test_what_is_killed_after_the_evaluation_was_saving(text: str) -> None:
    advice = pipeline.answer(Question(text=text)).advice
    assert advice is not None
    assert advice.findings[0].code == "saving_gathers"


def test_what_is_killed_while_it_evaluates_keeps_logits() -> None:
    advice = pipeline.answer(
        Question(text="7B full, 4x A100, RAM fills up during evaluation and it gets killed")
    ).advice
    assert advice is not None
    assert advice.verdict.code == "eval"


def test_an_offload_that_nobody_needs_is_named() -> None:
    slots = {"params_b": 30.0, "method": "full", "kind": "system_ram", "gpus": cards("h200-sxm", 8)}
    advice = advise(case(**slots, offload="optimizer", symptoms=("killed", "at_the_end")).query, load_catalog())
    assert "take the offload out as well" in render(advice, "en").text
    kept = advise(case(**slots, symptoms=("killed", "at_the_end")).query, load_catalog())
    assert "offload out" not in render(kept, "en").text

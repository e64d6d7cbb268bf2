"""The rule vllm_takes_its_share."""

import pytest

from advisor.rules import vllm_takes_its_share
from bot.messages import Question
from bot.pipeline import answer
from tests.advisor.rules.ask import cards, case

GRPO = {"kind": "oom_help", "params_b": 4.0, "method": "qlora", "algorithm": "grpo", "gpus": cards("rtx-4090")}


def test_a_stated_share_of_the_card() -> None:
    found = vllm_takes_its_share.check(case(**GRPO, symptoms=("oom_load",), named={"rollout_share": ("0.8",)}))
    assert found is not None
    assert found.facts["percent"] == 80
    assert 0.79 < found.facts["held"] / found.facts["usable"] < 0.81


def test_its_own_share_where_none_is_stated() -> None:
    found = vllm_takes_its_share.check(case(**GRPO, symptoms=("oom_load", "vllm_loads")))
    assert found is not None
    assert (found.facts["percent"], found.facts["stated"]) == (90, False)


def test_silent_without_vllm() -> None:
    assert vllm_takes_its_share.check(case(**GRPO, symptoms=("oom_load",))) is None


def test_silent_where_nothing_generates() -> None:
    assert vllm_takes_its_share.check(case(**{**GRPO, "algorithm": "sft"}, symptoms=("oom_load", "vllm_loads"))) is None


def test_silent_where_it_died_in_a_step() -> None:
    assert vllm_takes_its_share.check(case(**GRPO, symptoms=("oom_step", "vllm_loads"))) is None


@pytest.mark.parametrize(
    "text",
    [
        "GRPO on a 4090 w/ unsloth, Qwen3-4B-Thinking 4bit, seq 2000, fast_inference on, gpu_memory_utilization 0.8. "
        "Soon as I set UNSLOTH_VLLM_STANDBY=1 it OOMs directly in from_pretrained. Isn't standby meant to SAVE memory?",
        "GRPO mit TRL, use_vllm=True, Qwen2.5-3B auf 3090, OOM schon beim Laden",
    ],
)
def test_it_is_the_answer(text: str) -> None:
    said = answer(Question(text=text)).reply.text
    assert said.startswith(("**It is vLLM", "**Das ist vLLM"))
    assert "another process" not in said

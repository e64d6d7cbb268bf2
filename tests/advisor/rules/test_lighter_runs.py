"""The rule lighter_runs."""

from typing import Any

import pytest

from advisor.rules import lighter_runs
from bot import pipeline
from bot.messages import Question
from tests.advisor.rules.ask import cards, case

CHATGLM: dict[str, Any] = {"model": "THUDM/chatglm-6b", "method": "lora", "gpus": cards("v100-32gb")}


def test_speaks_where_lora_died() -> None:
    symptoms = ("oom_step", "lighter_runs")
    assert lighter_runs.check(case(kind="oom_help", **CHATGLM, symptoms=symptoms)) is not None


@pytest.mark.parametrize("symptoms", [("oom_step",), ("lighter_runs", "asks_normal")])
def test_silent_where_nothing_died_or_nothing_lighter_ran(symptoms: tuple[str, ...]) -> None:
    assert lighter_runs.check(case(kind="oom_help", **CHATGLM, symptoms=symptoms)) is None


def test_silent_where_every_weight_is_trained() -> None:
    full = {**CHATGLM, "method": "full"}
    assert lighter_runs.check(case(kind="oom_help", **full, symptoms=("oom_step", "lighter_runs"))) is None


@pytest.mark.parametrize(
    ("text", "speaks"),
    [
        ("V100 32GB: freeze tuning and p-tuning both run on chatglm 6b but lora goes out of memory. why?", True),
        ("V100 32GB und ChatGLM-6B: freeze und ptuning gehen, lora nicht (30,3 GB belegt). größere karte nötig?", True),
        ("V100 32G lora跑chatglm 爆, freeze和ptuning能跑, y?", True),
        ("chatglm 6b lora on a V100 32GB goes out of memory", False),
    ],
)
def test_is_read(text: str, speaks: bool) -> None:
    advice = pipeline.answer(Question(text=text)).advice
    assert advice is not None
    assert advice.kind == "oom_help"
    assert ("lighter_runs" in [finding.code for finding in advice.findings]) is speaks

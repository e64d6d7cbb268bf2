"""The rule trainer_without_model."""

import pytest

from advisor.rules import trainer_without_model
from tests.advisor.rules.ask import cards, case


def _said(trainer: str, model: str) -> tuple[str, str] | None:
    asked = case(kind="fits_check", model=model, trainer=trainer, method="qlora", gpus=cards("rtx-4090"))
    found = trainer_without_model.check(asked)
    return None if found is None else (found.gravity, str(found.facts["why"]))


@pytest.mark.parametrize(
    ("trainer", "model", "said"),
    [
        ("unsloth", "google/flan-t5-xl", ("stop", "encoder_decoder")),
        ("unsloth", "Qwen/Qwen-14B", ("warn", "remote_code")),
        ("unsloth", "THUDM/chatglm-6b", ("warn", "remote_code")),
        ("unsloth", "facebook/opt-6.7b", ("warn", "unproven")),
        ("torchtune", "tiiuae/falcon-7b", ("stop", "missing")),
        ("litgpt", "bigscience/bloom-7b1", ("stop", "missing")),
        ("mlx-lm", "google/flan-t5-xl", ("stop", "missing")),
    ],
)
def test_speaks(trainer: str, model: str, said: tuple[str, str]) -> None:
    assert _said(trainer, model) == said


@pytest.mark.parametrize(
    ("trainer", "model"),
    [
        ("unsloth", "meta-llama/Llama-3.1-8B"),
        ("unsloth", "openai/gpt-oss-20b"),
        ("unsloth", "tiiuae/Falcon-H1-7B-Base"),
        ("litgpt", "tiiuae/falcon-7b"),
        ("trl", "facebook/opt-6.7b"),
    ],
)
def test_silent_on_what_it_trains(trainer: str, model: str) -> None:
    assert _said(trainer, model) is None


def test_silent_where_only_a_size_is_named() -> None:
    asked = case(kind="fits_check", params_b=7.0, trainer="unsloth", gpus=cards("rtx-4090"))
    assert trainer_without_model.check(asked) is None

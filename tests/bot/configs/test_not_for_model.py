"""A configuration is for a trainer that loads the model; an encoder has none."""

import pytest

from bot.configs import config_for
from tests.advisor.rules.ask import cards, case


def _config(model: str, trainer: str | None = None, language: str = "en") -> str:
    slots = {"trainer": trainer} if trainer else {}
    advice = case(kind="fits_check", model=model, method="qlora", gpus=cards("rtx-3090"), **slots).advice
    assert advice is not None
    return config_for(advice, language=language)


@pytest.mark.parametrize("trainer", [None, "unsloth"])
@pytest.mark.parametrize("model", ["facebook/opt-6.7b", "Qwen/Qwen-14B"])
def test_another_trainer_is_taken_and_said(model: str, trainer: str | None) -> None:
    text = _config(model, trainer)
    assert "Unsloth is not for this model; this one is for TRL" in text
    assert "FastLanguageModel" not in text
    assert "Unsloth ist nichts für dieses Modell" in _config(model, trainer, "de")


def test_a_model_with_kernels_keeps_its_trainer() -> None:
    assert "FastLanguageModel" in _config("Qwen/Qwen2.5-7B")


@pytest.mark.parametrize(("language", "words"), [("en", "mine are for decoders"), ("de", "Meine sind für Decoder")])
def test_an_encoder_decoder_has_no_template(language: str, words: str) -> None:
    text = _config("google/flan-t5-xl", language=language)
    assert words in text
    assert "```" not in text

"""A model that is to be run and not trained."""

import pytest

from bot.messages import Question
from bot.parser import read


@pytest.mark.parametrize(
    "text",
    [
        "Quelle carte pour faire tourner (pas entraîner) un modèle 24B type mistral small chez moi ?",
        "qual placa pra rodar (não treinar) um 14b em casa?",
        "Welche Karte, um ein 24B laufen zu lassen, nicht trainieren?",
        "what gpu for a 24B, no training, just chatting locally?",
        "i don't want to train, only run qwen2.5 32b at q4 with 16k context. 3090 enough?",
        "I only want inference of a 70b, not train. 2x3090?",
        "我只想本地跑32b模型, 不训练, 要什么显卡",
        "qué tarjeta para ejecutar (no entrenar) un modelo 14b?",
    ],
)
def test_it_is_only_run(text: str) -> None:
    assert read(Question(text=text)).query.kind == "inference_only"


@pytest.mark.parametrize(
    "text",
    [
        "I can run a 14b on my 3060 but not train it, what card to train it with qlora?",
        "which gpu to train a 14b? if not, training in the cloud is fine, running it later too",
        "8b lora on a 4090: my run is not training, loss stays at 0, does it fit?",
    ],
)
def test_it_is_to_be_trained(text: str) -> None:
    assert read(Question(text=text)).query.kind != "inference_only"

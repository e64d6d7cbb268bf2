"""A name that only tells what a data set is like is no model."""

import pytest

from bot.messages import Question
from bot.parser import read


@pytest.mark.parametrize(
    ("text", "params_b"),
    [
        ("QLoRA a 70B on an A100 80GB with a synthetic instruct set comparable in size to airoboros 1.4, hours?", 70),
        ("70b qlora on a dataset like OpenHermes 2.5, A100, how long?", 70),
        ("13b on a dataset in the style of WizardLM, 3090", 13),
        ("wie lange dauert 8B QLoRA auf einem Datensatz so groß wie Dolphin auf einer 4090?", 8),
        ("13b mit einem Datensatz ähnlich wie OpenHermes, wie lange auf 3090?", 13),
        ("70B, Daten im Stil von WizardLM, A100", 70),
    ],
)
def test_the_size_is_the_models(text: str, params_b: float) -> None:
    query = read(Question(text=text)).query
    assert query.params_b == params_b
    assert not query.models
    assert "model" not in query.stated


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("my dataset is like 5k rows, mistral 7b on 3090", "mistralai/Mistral-7B-v0.3"),
        ("llama 3 8b on data as large as dolphin, 4090?", "meta-llama/Meta-Llama-3-8B"),
        ("training set like this, qwen 2.5 7b lora", "Qwen/Qwen2.5-7B"),
        ("I have a dataset, models like Mistral 7B?", "mistralai/Mistral-7B-v0.3"),
        ("Datensatz mit 5k Zeilen, Modelle wie Mistral 7B auf 3090?", "mistralai/Mistral-7B-v0.3"),
        ("dolphin 8b on a 4090 with a small dataset", "dphn/dolphin-2.9.1-llama-3-8b"),
    ],
)
def test_a_model_stays_one(text: str, model: str) -> None:
    assert read(Question(text=text)).query.model == model

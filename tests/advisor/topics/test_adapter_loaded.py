"""What was trained is loaded to be run, and that dies: no training, and the base twice in one process."""

import pytest

from bot.messages import Question
from bot.parser import read
from bot.pipeline import answer

LOADED = [
    "Playing w/ a Jetson Orin Nano 8GB. gemma3 1B QLoRA training actually finishes, ollama runs the 3-4B ones easily. "
    "But loading my saved lora afterwards in python kills it, out of memory. 8GB should be plenty for that??",
    "training 8b qlora works on my 3060, but loading the saved adapter afterwards OOMs",
    "8b qlora finished on a 3060, load my adapter -> CUDA out of memory",
    "Training lief durch (8B QLoRA, 3060), aber beim Laden des gespeicherten Adapters danach OOM",
    "8B QLoRA ist fertig trainiert, doch wenn ich den Adapter lade: out of memory. 3060",
]
NOT_LOADED = [
    "8b qlora on a 3060 dies while loading the model, OOM",
    "loading the base model in 4 bit OOMs on my 3060, 8b lora",
    "8B QLoRA: OOM beim Laden des Modells, 3060",
    "8b qlora OOMs while saving the adapter, 3060",
    "OOM beim Speichern des Adapters, 8B QLoRA, 3060",
]


@pytest.mark.parametrize("text", LOADED)
def test_running_is_no_training(text: str) -> None:
    said = answer(Question(text=text)).reply.text
    assert said.startswith(("**Training is done", "**Das Training ist fertig"))
    assert "nvidia-smi" not in said


@pytest.mark.parametrize("text", NOT_LOADED)
def test_a_base_that_does_not_load_is_another_matter(text: str) -> None:
    assert "loads_adapter" not in read(Question(text=text)).query.symptoms

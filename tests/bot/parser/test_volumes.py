"""The size of a file and the number of its examples tell how long they are."""

import pytest

from bot.messages import Question
from bot.parser import read
from bot.pipeline import answer

MLX = (
    "MacBook, mlx lora on zephyr-7b: 40 train examples, file is ~730 KB, batch size 1. Crashes with metal "
    "'Insufficient Memory'. How can 40 examples be too much?"
)


@pytest.mark.parametrize(
    ("text", "each"),
    [
        (MLX, 4600),
        ("200 examples, the jsonl is 6 MB, 8b qlora 3060 OOMs", 7500),
        ("train.jsonl 900kb with 30 rows, oom on 3060, 8b", 7500),
        ("dataset of 10k samples, 50 MB, 8b 4090 how long?", 1200),
        ("8B QLoRA auf 3090, 500 Beispiele, Datei hat 12 MB, OOM", 6000),
        ("Datensatz mit 300 Beispielen, 450 KB, 8B auf 3060, wie lange?", 400),
    ],
)
def test_bytes_over_examples(text: str, each: int) -> None:
    query = read(Question(text=text)).query
    assert query.tokens_per_example == each
    assert query.sources["tokens_per_example"] == "assumed"


@pytest.mark.parametrize(
    "text",
    [
        "adapter is 50 MB, 10k samples, 8b 4090",
        "1000 rows in a 2 GB json, 7b lora on 3090",
        "8b lora, 500 examples, checkpoint has 160 MB",
        "12 MB of text, 8b lora on 3060",
        "500 Beispiele, der Adapter hat 80 MB, 8b",
    ],
)
def test_what_is_no_length(text: str) -> None:
    assert read(Question(text=text)).query.tokens_per_example is None


@pytest.mark.parametrize("text", [MLX, "8B QLoRA auf 3090, 500 Beispiele, Datei hat 12 MB, OOM. Wieso?"])
def test_the_length_is_the_answer(text: str) -> None:
    said = answer(Question(text=text)).reply.text
    assert said.startswith(("**It is the length, not the number", "**Es liegt an der Länge, nicht an der Zahl"))


@pytest.mark.parametrize("text", [MLX, "MacBook, mlx, 7b LoRA bricht mit Speicherfehler ab"])
def test_a_mac_has_neither_nvidia_smi_nor_cards(text: str) -> None:
    said = answer(Question(text=text)).reply.text
    assert "nvidia-smi" not in said
    assert "Which card" not in said
    assert "Welche Karte" not in said

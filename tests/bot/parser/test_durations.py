"""Durations that a text tells of a run, and those that it does not."""

import pytest

from bot.messages import Question
from bot.parser import read


def took(text: str) -> float | None:
    return read(Question(text=text)).query.took_hours


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("llama-7b lora on single 3090: epochs 10 -> ETA 88 hours. normal??", 88.0),
        ("13b 4bit on 4090 did 3 epocs in 1 minute lol is it legit", 1 / 60),
        ("pythia-12b, dolly 15k, 2 epochs on 8x A100 took just 1 hour. suspiciously fast?", 1.0),
        ("alpaca 7B full ft on 4xA100-SXM4-80GB shows 24H eta. paper: 3h on 8 -> i'd expect 6h?", 24.0),
        ("1M instructions, 1 epoch, single A100: ETA 120 hours. normal?", 120.0),
        ("Yi-6B voll, 6 H100, 285k Zeilen, 1,15 Epochen - sind knapp 4 Stunden realistisch?", 4.0),
        ("8b qlora auf einer 3090 dauert 2 Tage, normal?", 48.0),
        ("1000 gpu hours on an h100, what does that cost", 1000.0),
        ("training takes 2.5h for 10k rows on my 4090", 2.5),
    ],
)
def test_a_run_took(text: str, hours: float) -> None:
    assert took(text) == pytest.approx(hours)


@pytest.mark.parametrize(
    "text",
    [
        "8b qlora on 10k rows within 8 hours, which gpu?",
        "kaufen oder mieten, ich trainiere 10 Stunden pro Woche, 4090",
        "3090: 7s/it = 8h/epoch, batch 32 says 6 days per epoch",
        "13b qlora on a 3090",
        "llama 3 8b h100 4k context",
    ],
)
def test_no_run_took(text: str) -> None:
    assert took(text) is None


def test_a_price_per_hour_is_no_duration() -> None:
    assert read(Question(text="vast shows 5090 ~0.30/hr and H100 ~2 $/h, 13b lora")).query.took_hours is None

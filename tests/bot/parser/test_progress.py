"""How far a run has come in what time."""

import pytest

from bot.messages import Question
from bot.parser import read


@pytest.mark.parametrize(
    ("text", "share", "of", "hours"),
    [
        ("qwen3 8b lora on a 4090, 0.02 epoch after 45 minutes. how long?", 0.02, "epoch", 0.75),
        ("4090, 7B sft. After 30 minutes it's at 0.01 epochs. Is one day enough?", 0.01, "epoch", 0.5),
        ("step 120/9375 after 1 hour, llama 2 13b qlora on my 3090", 0.0128, "run", 1.0),
        ("500 of 6000 steps took 2 hours, 8b lora, 4090", 500 / 6000, "run", 2.0),
        ("500 Schritte in 2 Stunden, insgesamt sind es 6000. Llama 3 8B LoRA, 4090", 500 / 6000, "run", 2.0),
        ("4卡A800 lora微调qwen2.5-32b, 1000步用了5小时, 总共8000步", 0.125, "run", 5.0),
        ("SFT de mistral 7b sur une L40S, 3 heures pour 10% de l'époque", 0.1, "epoch", 3.0),
        ("1.2M samples, 0.1 epoch per day on a 4090, phi-3 mini lora", 0.1, "epoch", 24.0),
        ("3x 4090, lora 13b, 2 h 40 min for 12% of the run, what's the total", 0.12, "run", 2.6667),
        ("12% of the run done after 2 h 40 min, 3x 4090, lora 13b", 0.12, "run", 2.6667),
        ("epoch 1.5/3 after 20 hours, lora 70b 4xA100", 0.5, "run", 20.0),
        ("nach 3 Stunden erst 5 % fertig, 8B QLoRA, 3090", 0.05, "run", 3.0),
    ],
)
def test_progress(text: str, share: float, of: str, hours: float) -> None:
    query = read(Question(text=text)).query
    assert (query.done_share, query.done_of, query.done_hours) == (pytest.approx(share, rel=1e-5), of, hours)
    assert query.took_hours is None


@pytest.mark.parametrize(
    "text",
    [
        "gpu at 20% for 3 hours, 8b lora on a 4090, what is wrong",
        "eval every 0.1 epoch takes 20 minutes, 8b lora 4090",
        "warmup 0.03 epoch, the run took 3 hours, 8b qlora 3090",
        "epoch 0.5, ETA 88 hours, 8b qlora 3090",
        "3 epochs in 6 hours on a 3090, 8b qlora",
        "loss dropped 10% after 2 hours, 8b qlora 3090",
        "5/6 experiments took 3 hours, 8b qlora 3090",
    ],
)
def test_what_is_no_progress(text: str) -> None:
    assert read(Question(text=text)).query.done_share is None


def test_the_time_that_one_has() -> None:
    text = "I rented a 4090 for one day. After 30 minutes it's at 0.01 epochs. Will one day be enough for 7b sft?"
    assert read(Question(text=text)).query.max_hours == 24


def test_the_name_of_a_card_is_no_time() -> None:
    query = read(Question(text="continued pretraining llama 3.2 1b on 900MB text, 3090, days?")).query
    assert query.took_hours is None


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("my run: 40% after 6 hours, will it finish in 24h?", 0.4),
        ("mein lauf: 40% nach 6 stunden, geht sich das in 24h aus?", 0.4),
        ("it is at 40% after 6h, 8b qlora on a 3090", 0.4),
        ("loss dropped by 40% after 6 hours of 8b qlora", None),
        ("gpu utilisation sits at 40% after 2 hours of 8b qlora", None),
    ],
)
def test_a_share_with_the_time_behind_it(text: str, share: float | None) -> None:
    assert read(Question(text=text)).query.done_share == share

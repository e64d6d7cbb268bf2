"""RAM in use is no RAM that there is; what an optimizer is stored in says nothing of the weights."""

import pytest

from advisor.query import Query
from bot.messages import Question
from bot.parser import read
from bot.pipeline import answer


def query(text: str) -> Query:
    return read(Question(text=text)).query


@pytest.mark.parametrize(
    ("text", "gb"),
    [
        ("6.7B full auf einer 3090, NVMe-Offload, gekillt bei 26,4 GB RAM = 84,6 %. Hab 32 GB drin. Mehr Swap?", 32),
        ("killed while loading 13b, RAM at 30.2 GB (96%). 3090", 32),
        ("RAM geht auf 30 GB, wird gekillt. 7B full 3090, habe 32 GB verbaut", 32),
        ("7b full, 3090, ram at 61.7 GB then killed, I have 64 installed", 64),
        ("7b full with offload, RAM shows 61 GB of 64 GB, 3090", 64),
        ("26,4 GB RAM belegt (84,6 %), dann gekillt. 7B full 3090", 32),
    ],
)
def test_the_ram_that_there_is(text: str, gb: float) -> None:
    assert query(text).ram_gb == gb


@pytest.mark.parametrize(
    ("text", "gb"),
    [
        ("qlora 8b 3060 12GB, hab 32 GB RAM drin", 32),
        ("hab eine 16 GB Karte drin, RAM 32 GB. 7b lora", 32),
        ("hab 16 GB VRAM drin. und RAM? 7b lora", None),
        ("3090 installed, 64gb ram, 7b full", 64),
        ("24GB of RAM and a GTX 1080 Ti, can i train a 3b lora", 24),
        ("8b lora, 48 GB RAM, GPU at 90 %, 3090", 48),
    ],
)
def test_what_is_stated_stays(text: str, gb: float | None) -> None:
    assert query(text).ram_gb == gb


@pytest.mark.parametrize(
    ("text", "optimizer"),
    [
        ("full finetune of Qwen2.5-3B on a 4090 with a 4-bit optimizer", "adamw_4bit"),
        ("Qwen2.5-3B voll trainieren, 8-bit-Optimizer, 3090", "adamw_8bit"),
        ("8b full, optimizer in 8 bit, 2x A100", "adamw_8bit"),
        ("3B full mit 4bit Adam auf 4090", "adamw_4bit"),
    ],
)
def test_an_optimizer_of_few_bits_is_no_quantised_model(text: str, optimizer: str) -> None:
    found = query(text)
    assert (found.optimizer, found.weight_bits, found.method) == (optimizer, None, "full")


def test_a_model_in_few_bits_stays_one() -> None:
    assert query("8b in 4 bit, optimizer adamw, 3090").weight_bits == 4


@pytest.mark.parametrize(
    "text",
    [
        "4090 + 64GB RAM, full finetune of Qwen2.5-3B with deepspeed zero3, only the optimizer is offloaded, 4-bit "
        "optimizer, and RAM still runs full. Shouldn't 3B be easy?",
        "Qwen2.5-3B voll auf 4090, 64 GB RAM, ZeRO-3, Optimizer ausgelagert, 8-bit-Optimizer, RAM läuft trotzdem voll",
    ],
)
def test_ram_that_fills_though_the_optimizer_is_small(text: str) -> None:
    said = answer(Question(text=text)).reply.text
    assert said.startswith(("**System RAM is full", "**Voll ist der Arbeitsspeicher"))
    assert "fp32" in said
    assert "22.8 GiB" in said.replace(",", ".")


@pytest.mark.parametrize(
    "text", ["7b full 3090, killed at 32GB RAM. more swap?", "7B full, 3090, bei 32 GB RAM gekillt, hilft Swap?"]
)
def test_swap_is_answered(text: str) -> None:
    said = answer(Question(text=text)).reply.text
    assert "**More swap" in said or "**Mehr Swap" in said

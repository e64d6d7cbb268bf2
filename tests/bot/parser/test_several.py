"""A message that names several sizes, methods, optimizers or ways to split."""

import pytest

from bot import parser
from bot.messages import Question


@pytest.mark.parametrize(
    ("text", "first", "others"),
    [
        ("gpu memory to train llama2 70B at 32k, and 13B at 32k?", "meta-llama/Llama-2-70b-hf", "Llama-2-13b-hf"),
        ("qlora llama 3.1 8b und 70b auf einer 3090", "meta-llama/Llama-3.1-8B", "Llama-3.1-70B"),
        ("qwen3 8b oder 14b auf 16 gb", "Qwen/Qwen3-8B", "Qwen3-14B"),
    ],
)
def test_a_second_size_is_a_sibling(text: str, first: str, others: str) -> None:
    query = parser.read(Question(text=text), None).query
    assert query.model == first
    assert [name.split("/")[-1] for name in query.models] == [others]


def test_one_size_has_no_sibling() -> None:
    assert not parser.read(Question(text="llama 3.1 8b qlora on a 24GB card, 3B active"), None).query.models


@pytest.mark.parametrize(
    ("text", "slot", "values"),
    [
        ("774M OOMs on my card, adam vs adafactor", "optimizer", ("adam", "adafactor")),
        ("8x7B auf 24 GB: wieviel für lora, qlora und full finetuning?", "method", ("lora", "qlora", "full")),
        ("7b full on 8x A100, fsdp or zero3?", "sharding", ("fsdp", "zero3")),
    ],
)
def test_all_values_are_kept(text: str, slot: str, values: tuple[str, ...]) -> None:
    assert set(parser.read(Question(text=text), None).query.named[slot]) == set(values)


def test_one_value_is_not_several() -> None:
    assert not parser.read(Question(text="qlora 13b with adafactor on a 3090"), None).query.named


def test_two_trainers_far_apart_are_compared() -> None:
    asked = parser.read(Question(text="is unsloth on 2x 4090 faster than axolotl on both?"), None).query
    assert asked.named["trainer"] == ("unsloth", "axolotl")
    assert "trainer" not in asked.stated


def test_trainers_with_a_figure_each_are_compared() -> None:
    text = "Mistral-Nemo QLoRA: Unsloth 11 GB, TRL 17 GB bei 4096. Warum so ein Unterschied?"
    assert "trainer" not in parser.read(Question(text=text), None).query.stated
    text = "Mistral-Nemo QLoRA: Unsloth braucht 11 GB bei 4096. Warum so wenig?"
    assert "trainer" in parser.read(Question(text=text), None).query.stated

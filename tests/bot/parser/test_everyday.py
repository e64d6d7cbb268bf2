"""Everyday messages: the price of a kilowatt-hour, changed cards, numbers that are names, names without a version."""

import pytest

from advisor.query import Query
from bot.messages import Question
from bot.parser import read


def query(text: str) -> Query:
    return read(Question(text=text)).query


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3090, 6 hours every day, 0.35€/kWh, what does it cost", ("0.35", "EUR", "day")),
        ("Strom kostet mich 35 ct pro kWh, 20 h auf einer 3090", ("0.35", "EUR", "")),
        ("power is 0.12 $/kWh here, 8h on a 4090", ("0.12", "USD", "")),
        ("strom: 4090, 20 h, 35 ct/kWh?", ("0.35", "EUR", "")),
        ("Bei mir kostet die kWh 38 Cent. 3090, 10 Stunden am Tag, was zahle ich?", ("0.38", "EUR", "day")),
        ("0,40 €/kWh, jeden Tag 3 h auf der 3090, was kostet das", ("0.4", "EUR", "day")),
    ],
)
def test_the_price_of_a_kilowatt_hour(text: str, said: tuple[str, str, str]) -> None:
    assert query(text).named["per_kwh"] == said


@pytest.mark.parametrize(
    "text", ["a 4090 eats 3.6 kWh in 8 hours", "3090 for 700 €, 6 h a day", "10 kWh a day, a 3090 for 1 €"]
)
def test_energy_and_other_money_are_no_price_of_it(text: str) -> None:
    assert "per_kwh" not in query(text).named


@pytest.mark.parametrize(
    ("text", "gpu"),
    [
        ("does a 2080 Ti modded to 22GB work for 13b qlora?", "rtx-2080-ti-22gb"),
        ("2080 Ti umgebaut auf 22 GB, 13b qlora", "rtx-2080-ti-22gb"),
        ("4060 8gb laptop is all i have, 7b qlora", "rtx-4060-laptop"),
        ("3070 8 GB Notebook, 7b qlora", "rtx-3070-laptop"),
        ("2080 ti for 13b qlora", "rtx-2080-ti"),
        ("4060 8gb and a laptop for chatting, 7b qlora", "rtx-4060"),
    ],
)
def test_a_card_that_was_changed_or_sits_in_a_laptop(text: str, gpu: str) -> None:
    assert [card.gpu for card in query(text).gpus] == [gpu]


@pytest.mark.parametrize(
    ("text", "examples"), [("1 epoch with 6000 examples, 3060", 6000), ("eine Epoche mit 6000 Beispielen, 3060", 6000)]
)
def test_a_number_of_examples_is_no_card(text: str, examples: int) -> None:
    found = query(text)
    assert [card.gpu for card in found.gpus] == ["rtx-3060-12gb"]
    assert found.dataset_examples == examples
    assert query("rtx 6000 for a 13b lora").unknown  # the name alone is one


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("Qwen 14B mit QLoRA auf der 3090", "Qwen/Qwen3-14B"),
        ("qwen 7b lora on a 3090", "Qwen/Qwen2.5-7B"),
        ("Qwen/Qwen-14B qlora on a 3090", "Qwen/Qwen-14B"),
        ("qwen2.5 14b qlora on a 3090", "Qwen/Qwen2.5-14B"),
    ],
)
def test_a_name_without_a_version_is_the_newest(text: str, model: str) -> None:
    assert query(text).model == model


def test_lanes_are_no_model() -> None:
    found = query("2x 3090, pcie x4, 8b qlora, device_map auto")
    assert (found.params_b, found.models) == (8.0, ())
    assert query("4, 8b qlora: which fits a 3090?").models

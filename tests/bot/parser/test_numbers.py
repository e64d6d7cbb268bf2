"""Numbers as people write them."""

import pytest

from bot.parser.numbers import Number, numbers_of
from bot.parser.text import Message


def only(text: str, german: bool = False) -> Number:
    found = list(numbers_of(Message.of(text), german).values())
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("4k", 4, "k"),
        ("1.5M", 1.5, "m"),
        ("1,500,000", 1_500_000, ""),
        ("24g", 24, "gb"),
        ("24 GiB", 24, "gb"),
        ("1.2T", 1200, "gb"),
        ("70b", 70, "b"),
        ("13 B", 13, "b"),
        ("10^9", 1e9, ""),
        ("10⁹", 1e9, ""),
        ("2e5", 2e5, ""),
        ("１６ＧＢ", 16, "gb"),
        ("12гб", 12, "gb"),
        ("52万", 52, "wan"),
        ("0,74", 0.74, ""),
    ],
)
def test_value_and_unit(text: str, value: float, unit: str) -> None:
    number = only(text)
    assert (number.value, number.unit) == (value, unit)


def test_a_point_groups_thousands_in_german_only() -> None:
    assert only("285.000", german=True).value == 285_000
    assert only("2.500", german=False).value == 2.5
    assert only("1,15", german=True).value == 1.15


def test_a_list_of_devices_is_no_number() -> None:
    assert not numbers_of(Message.of("CUDA_VISIBLE_DEVICES=0,1,2"), german=False)


def test_k_is_1024_for_a_length_and_1000_for_things() -> None:
    assert only("8k").length == 8192
    assert only("8k").things == 8000


def test_a_learning_rate_is_not_a_number_of_anything() -> None:
    assert only("1e-4").unit == "e"


def test_digits_inside_a_longer_number_are_not_a_name() -> None:
    assert Message.of("13090").tokens == ["13090"]

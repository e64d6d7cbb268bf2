"""Images by their pixels: how many tokens they are, and what no image has."""

from time import process_time

import pytest

from bot.messages import Question
from bot.parser import read

LONGEST_S = 1.0
"""CPU seconds; looking at a number takes none of them, however large it is."""


@pytest.mark.parametrize(
    ("told", "tokens", "images"),
    [
        ("max_pixels: 12845056", 16384, 1),
        ("max_pixels 200000000", 255103, 1),
        ("4 images of 1344x1344 per example", 2304, 1),
        ("images of 4096x2048", 10700, 1),
    ],
)
def test_pixels_are_tokens(told: str, tokens: int, images: int) -> None:
    query = read(Question(text=f"qwen2.5-vl-7b lora on image data, {told}, on a 4090")).query
    assert query.seq_len == tokens * images
    assert query.named["image_tokens"][0] == str(tokens)


@pytest.mark.parametrize("told", ["max_pixels: 40000", "max_pixels: 200000001", "images of 128k x 128k", "pixels 5.5"])
def test_what_no_image_has_is_no_length(told: str) -> None:
    query = read(Question(text=f"qwen2.5-vl-7b lora on image data, {told}, on a 4090")).query
    assert "image_tokens" not in query.named


def test_many_pixels_take_no_longer_to_read() -> None:
    read(Question(text="qwen2.5-vl-7b lora on image data, on a 4090"))
    began = process_time()
    read(Question(text="qwen2.5-vl-7b lora on image data, max_pixels: 199999999, on a 4090"))
    assert process_time() - began < LONGEST_S

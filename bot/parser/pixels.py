"""How many tokens images are, where their pixels are told: "max_pixels: 12845056", "4 images of 1344x1344"."""

from collections.abc import Mapping
from math import ceil

from advisor.stacks import SEQ_LEN
from bot.parser.numbers import PLAIN, Number
from bot.parser.slots import Slots
from bot.parser.text import Message
from bot.parser.words import words

PIXELS_PER_TOKEN = (("qwen3-vl", 32 * 32), ("qwen2-vl", 28 * 28), ("qwen2.5-vl", 28 * 28))
"""Part of a hub id → pixels of a token after merging. Sources: Qwen2-VL, arXiv:2409.12191, sec. 2.1; the processors'
patch_size 14 or 16 and merge_size 2 (preprocessor_config.json).
"""
SIDE = (64, 10_000)
PIXELS = (50_000, 200_000_000)
"""Least and most, of a side and of an image."""
MOST_IMAGES = 64
REACH = 5
"""Tokens between a size and the word that says that it is an image's."""


def state_pixels(slots: Slots, message: Message, numbers: Mapping[int, Number]) -> None:
    """States as length what the images of an example come to, where that is more than the text's limit: max_length
    does not cut them. `named["image_tokens"]` is tokens of an image, images, and the length that was told.
    """
    if "image_words" not in message.said:
        return
    model = str(slots.values.get("model", "")).lower()
    each = next((pixels for part, pixels in PIXELS_PER_TOKEN if part in model), None)
    pixels = _pixels(message, numbers) if each else None
    if each is None or pixels is None:
        return
    tokens, images = ceil(pixels / each), _images(message, numbers)
    said = int(slots.values.get("seq_len", 0))
    if tokens * images > (said or SEQ_LEN):
        slots.named["image_tokens"] = (str(tokens), str(images), str(said or ""))
        slots.drop("seq_len")
        slots.state("seq_len", tokens * images)


def _pixels(message: Message, numbers: Mapping[int, Number]) -> float | None:
    for number in numbers.values():
        before = message.token(number.start - 1)
        if before in words("pixel_words") and _within(PIXELS, number.things):
            return number.things
        other = numbers.get(number.end + 1) if message.token(number.end) == "x" else None
        if other is None or not (_is_side(number) and _is_side(other)):
            continue
        around = range(number.start - REACH, other.end + REACH)
        if any(message.token(place) in words("image_words") for place in around):
            return number.value * other.value
    return None


def _is_side(number: Number) -> bool:
    return number.unit == PLAIN and _within(SIDE, number.value)


def _within(bounds: tuple[int, int], value: float) -> bool:
    least, most = bounds
    return least <= value <= most


def _images(message: Message, numbers: Mapping[int, Number]) -> int:
    """The 4 of "4 images per sample"."""
    for number in numbers.values():
        one = message.token(number.end) in words("image_words") and message.token(number.end + 1) in words("per")
        if one and number.unit == PLAIN and 1 <= number.value <= MOST_IMAGES:
            return int(number.value)
    return 1

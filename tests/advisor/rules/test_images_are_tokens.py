"""The rule images_are_tokens."""

import pytest

from advisor.advisor import advise
from advisor.rules import images_are_tokens
from bot.messages import Question
from bot.pipeline import answer
from bot.renderer import render
from tests.advisor.rules.ask import cards, case


def test_speaks() -> None:
    found = images_are_tokens.check(
        case(model="Qwen/Qwen2.5-VL-7B-Instruct", kind="fits_check", gpus=cards("rtx-4090"))
    )
    assert found is not None


def test_silent_on_text_models() -> None:
    assert (
        images_are_tokens.check(case(model="meta-llama/Llama-3.1-8B", kind="fits_check", gpus=cards("rtx-4090")))
        is None
    )


def test_videos_that_people_watch_are_no_input() -> None:
    """ "a 70B fits easily, all videos show it" """
    made = case(params_b=70, kind="fits_check", gpus=cards("strix-halo-128gb"), symptoms=("with_video", "with_media"))
    assert made.seq_len == 2048


@pytest.mark.parametrize("language", ["en", "de"])
def test_videos_are_counted_with_the_tokens_they_make(language: str) -> None:
    """Qwen2-VL, sec. 2.1: at most 16,384 tokens a video, two frames a second."""
    made = case(
        model="Qwen/Qwen2-VL-7B-Instruct", kind="fits_check", gpus=cards("a100-80gb-sxm"), symptoms=("with_video",)
    )
    assert made.seq_len == 16_384
    advice = advise(made.query, made.catalog)
    assert advice.findings[0].facts["video"]
    text = render(advice, language).text
    assert text.index("Qwen2-VL makes" if language == "en" else "macht Qwen2-VL") < text.index("| ---")
    assert (
        case(model="Qwen/Qwen2-VL-7B-Instruct", kind="fits_check", symptoms=("with_video",), seq_len=4096).seq_len
        == 4096
    )


@pytest.mark.parametrize(
    ("text", "length", "told"),
    [
        ("qwen2-vl-7b lora, max_length 1024, A100, max_pixels: 12845056, why 77 GiB?", 16_384, ("16384", "1", "1024")),
        (
            "images 1344x1344, qwen2.5-vl 7b lora, 4 images per sample, max len 4096, A6000 OOM",
            9_216,
            ("2304", "4", "4096"),
        ),
        ("qwen2.5-vl 7b lora, one 512x512 image per prompt, max len 2048, 4090?", 2048, None),
        ("vram for qwen2.5-vl 7b lora, one 512x512 image per prompt?", None, None),
        ("llama 3.1 8b lora, screen 2560x1440 px, seq 2048, 4090?", 2048, None),
    ],
)
def test_pixels_that_are_told_are_the_length(text: str, length: int | None, told: tuple[str, ...] | None) -> None:
    """A token for 28 x 28 pixels; the limit on the text does not cut an image."""
    made = answer(Question(text=text))
    assert made.query.seq_len == length
    assert made.query.named.get("image_tokens") == told
    assert made.reply.text.startswith("**The images are the length") == (told is not None)

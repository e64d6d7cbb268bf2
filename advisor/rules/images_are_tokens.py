"""In vision-language training every image or frame adds hundreds of tokens.

Source: Qwen2-VL, arXiv:2409.12191, sec. 2.1: one token per 28 x 28 pixels after merging, two frames a second, at most
16,384 tokens a video.
"""

from advisor.advice import Finding, note, stop, warn
from advisor.asked import FAILURES
from advisor.case import Case

USUAL_PIXELS, USUAL_TOKENS = 1280 * 28 * 28, 1280
"""What Qwen's own examples set (https://github.com/QwenLM/Qwen2-VL, README, max_pixels)."""

ON = ("model",)


def check(case: Case) -> Finding | None:
    """In vision-language training every image or frame adds hundreds of tokens."""
    if not case.sees:
        return None
    if counted := case.query.named.get("image_tokens"):
        return _counted(case, int(counted[0]), int(counted[1]), counted[2])
    if "with_video" in case.symptoms and not case.query.seq_len:
        return stop(video=True, tokens=case.seq_len, each=None)
    if "with_media" in case.symptoms and case.symptoms & FAILURES:
        return stop(video=False, tokens=None, each=None)
    speak = note if case.query.seq_len else warn  # without a stated length the images are not in ours
    return speak(video=False, tokens=None, each=None)


def _counted(case: Case, each: int, images: int, said: str) -> Finding:
    """The images' own tokens, and what the run takes with a usual number of them."""
    fewer = case.need(case.stacks[-1], seq_len=USUAL_TOKENS * images) if each > USUAL_TOKENS and case.sized else None
    return stop(
        video=False,
        tokens=each * images,
        each=each,
        images=images,
        said=int(said) if said else None,
        pixels=USUAL_PIXELS if fewer else None,
        usual=USUAL_TOKENS,
        need=fewer.device if fewer else None,
    )

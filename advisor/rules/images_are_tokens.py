"""In vision-language training every image or frame adds hundreds of tokens.

Source: Qwen2-VL, arXiv:2409.12191, sec. 2.1: one token per 28 x 28 pixels after merging, two frames a second, at most
16,384 tokens a video.
"""

from advisor.advice import Finding, note, stop, warn
from advisor.asked import FAILURES
from advisor.case import Case
from advisor.topics.trainer_choice import SIGNS

ON = ("model",)


def check(case: Case) -> Finding | None:
    """In vision-language training every image or frame adds hundreds of tokens."""
    model = case.query.model or ""
    if not any(sign in model.lower() for sign in SIGNS):
        return None
    if "with_video" in case.symptoms and not case.query.seq_len:
        return stop(video=True, tokens=case.seq_len)
    if "with_media" in case.symptoms and case.symptoms & FAILURES:
        return stop(video=False, tokens=None)
    speak = note if case.query.seq_len else warn  # without a stated length the images are not in ours
    return speak(video=False, tokens=None)

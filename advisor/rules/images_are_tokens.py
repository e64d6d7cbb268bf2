"""In vision-language training every image or frame adds hundreds of tokens.

Source: Qwen2-VL, arXiv:2409.12191: one token per 28 x 28 pixels after merging.
"""

from advisor.advice import Finding, note
from advisor.case import Case

SIGNS = ("-vl-", "vision", "llava", "-omni")
"""Parts of hub ids of models that people tune with images."""

ON = ("model",)


def check(case: Case) -> Finding | None:
    """In vision-language training every image or frame adds hundreds of tokens."""
    model = case.query.model or ""
    return note() if any(sign in model.lower() for sign in SIGNS) else None

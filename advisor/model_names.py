"""What names and layer plans of models tell: the length that one was made for, and whether it sees."""

from advisor.stacks import UNBOUND
from knowledge.schemas import Model

OLD = ("gpt2", "bert")
"""Layer plans of models from before adapters."""
RELATIVE = "t5"
"""Layer plan whose positions are relative: no length is too long for it."""
LENGTHS = {
    "16k": 16_384, "32k": 32_768, "64k": 65_536, "128k": 131_072, "200k": 200_000, "262k": 262_144,
    "1048k": 1_048_576, "1m": 1_000_000,
}  # fmt: skip
"""Lengths by which models are named that were tuned to go beyond their base."""

SEES = ("-vl-", "vision", "llava", "-omni")
"""Parts of hub ids of models that people tune with images."""
VIDEO_LEN = 16_384
"""Tokens of a video at most. Source: Qwen2-VL, arXiv:2409.12191, sec. 2.1."""


def made_for(model: Model, name: str, *, generic: bool) -> int:
    """Tokens; unbound for a mere size, except one that only GPT-2's generation has."""
    if generic and model.arch not in OLD:
        return UNBOUND
    return max([model.max_context, *(LENGTHS[part] for part in name.lower().split("-") if part in LENGTHS)])


def sees(model: Model) -> bool:
    """Whether images and videos are its input."""
    return any(sign in model.id.lower() for sign in SEES)

"""What a trainer's log says of memory: "13.270GB (+56.066GB cache, +1.374GB misc)", as Axolotl prints it."""

import re

from bot.parser.slots import Slots

HINT = "GB cache"
PARTS = re.compile(r"([\d.]{1,8})\s?GB \(\+([\d.]{1,8})\s?GB cache(?:, \+([\d.]{1,8})\s?GB misc)?")
"""In use, reserved by PyTorch beyond that, and of CUDA itself."""


def state_logged(slots: Slots, text: str) -> None:
    """Names the parts in GB, the last line that tells them."""
    if HINT not in text:
        return
    found = PARTS.findall(text)
    if found:
        parts = [part.strip(".") for part in found[-1] if part.strip(".")]
        if all(part.count(".") <= 1 for part in parts):
            slots.named["logged_gib"] = tuple(parts)

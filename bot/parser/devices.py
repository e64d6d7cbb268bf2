"""How many cards a run was shown: "CUDA_VISIBLE_DEVICES=0,1,2"."""

import re

_SHOWN = re.compile(r"visible[ _]?devices\s{0,4}[=:]?\s{0,4}[\"']?(\d+(?:\s{0,4},\s{0,4}\d+)+)")


def devices_shown(text: str) -> int | None:
    """The most devices that a message lists; None without a list of several."""
    text = text.lower()
    if "visible" not in text:
        return None
    counts = [len(set(re.findall(r"\d+", listed))) for listed in _SHOWN.findall(text)]
    return max(counts, default=None)

"""The pasted part of a message: configurations, scripts, command lines, logs and tracebacks become slots.

Nothing is evaluated. Whatever is left after the paste is prose, and the reader's grammar reads that. The patterns are
loaded with the first text that looks like a paste: most texts are none.
"""

import re
from dataclasses import dataclass, field
from typing import Any

Card = tuple[str | None, int, float | None]
"""(name as written or None, count, GB on the box or None)"""

WORDS = (
    *("Tried to allocate", "Traceback", "Killed", "killed", "SIGKILL", "OOMKill", "exit", "MiB", "Num GPUs"),
    *("return code", "used ", "used=", "total capa", "litgpt", "tune run", "out of memory"),
)
DEVICE = re.compile(r"GPU \d:")
JOINED = re.compile(r"_(?<=\w_)\w|--\w")
PAIR = re.compile(
    r"[:=](?:(?<=[\w\"'].)|(?<=[\w\"'][ \t].)|(?<=[\w\"'][ \t]{2}.)|(?<=[\w\"'][ \t]{3}.))[ \t]{0,3}[\w\"'\[{]"
)
"""Without one of these nothing is pasted. Plain words are looked for one by one: that is faster than one pattern."""


@dataclass(frozen=True, slots=True)
class Pasted:
    """Slots of the paste, all stated. `model` and the names in `cards` are as written, for the reader to look up.

    `cards`: (name or None, count, GB on the box or None). `rest` is the text without the pasted part.
    """

    slots: dict[str, Any] = field(default_factory=dict)
    model: str | None = None
    cards: tuple[Card, ...] = ()
    symptoms: tuple[str, ...] = ()
    rest: str = ""


def is_hinted(text: str) -> bool:
    """Whether anything in a text looks like a paste."""
    for word in WORDS:
        if word in text:
            return True
    if ("_" in text or "--" in text) and JOINED.search(text):
        return True
    pairs = ":" in text or "=" in text
    return pairs and (PAIR.search(text) is not None or DEVICE.search(text) is not None)


def read_pasted(text: str) -> Pasted | None:
    """The pasted part of a text, or None when it is all prose."""
    if not is_hinted(text):
        return None
    from bot.parser.pasted.reading import read_paste

    return read_paste(text)

"""The pasted part of a message: configurations, scripts, command lines, logs and tracebacks become slots.

Nothing is evaluated. Whatever is left after the paste is prose, and the reader's grammar reads that. The patterns are
loaded with the first text that looks like a paste: most texts are none.
"""

import re
from dataclasses import dataclass, field
from typing import Any

Card = tuple[str | None, int, float | None]
"""(name as written or None, count, GB on the box or None)"""

HINT = re.compile(
    r"\w_\w|--\w|[\w\"'][ \t]{0,3}[:=][ \t]{0,3}[\w\"'\[{]|Tried to allocate|Traceback|[Kk]illed|SIGKILL|OOMKill|exit|"
    r"MiB|Num GPUs|"
    r"return code|used[ =]|total capa|litgpt|tune run|out of memory|GPU \d:"
)
"""Without one of these nothing is pasted."""


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


def read_pasted(text: str) -> Pasted | None:
    """The pasted part of a text, or None when it is all prose."""
    if not HINT.search(text):
        return None
    from bot.parser.pasted.reading import read_paste

    return read_paste(text)

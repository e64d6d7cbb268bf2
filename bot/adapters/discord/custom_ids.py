"""The ids of buttons and selects: `w|<language>|<asker>|<state>|<change>`, at most 100 characters.

The query itself travels in them (bot.codec), so a button works after a restart, on another process, and for as long
as the message is there. `asker` is who asked, in base 36: only that person changes or deletes the message.
"""

from dataclasses import dataclass
from string import ascii_lowercase, digits

from bot.adapters.words import LANGUAGES

LONGEST = 100
MARK = "w"
ANYONE = "*"
"""Stands for the asker in components that are kept to be used again; see `bot.adapters.discord.layout.filled`."""
_DIGITS = digits + ascii_lowercase


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a press says: the language of the message, who asked, the packed query, the change."""

    language: str
    asker: str
    state: str
    change: str


def pack(language: str, asker: str, state: str | None, change: str) -> str | None:
    """A custom id; without the state where it would not fit, None where even that does not."""
    for carried in (state or "", ""):
        made = f"{MARK}|{language}|{asker}|{carried}|{change}"
        if len(made) <= LONGEST - (13 if asker == ANYONE else 0):
            return made
    return None


def unpack(custom_id: str, chosen: str | None = None) -> Pressed | None:
    """The parts of an id that we made; None for anything else (it comes from outside).

    `chosen`: what was chosen in a select, which is its change.
    """
    parts = custom_id.split("|", 4)
    if len(parts) != 5 or parts[0] != MARK or parts[1] not in LANGUAGES or len(custom_id) > LONGEST:
        return None
    change = chosen if parts[4].startswith("?") else parts[4]
    if not change or len(change) > LONGEST:
        return None
    return Pressed(parts[1], unbase36(parts[2]), parts[3], change)


def base36(number: str) -> str:
    """A snowflake in base 36: at most 13 characters."""
    value, made = int(number), ""
    while value:
        value, rest = divmod(value, 36)
        made = _DIGITS[rest] + made
    return made or "0"


def unbase36(text: str) -> str:
    """A snowflake back in decimal; "" for what is none."""
    try:
        return str(int(text, 36)) if text.isascii() and text.isalnum() and len(text) <= 13 else ""
    except ValueError:
        return ""

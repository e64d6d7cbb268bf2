"""Buttons and selects as an inline keyboard, and the data that a press brings back.

callback_data is at most 64 bytes: `<language>|<state>|<change>`. The query itself travels in it (bot.codec), so a
button works after a restart, on another process, and for as long as the message is there.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.adapters.words import LANGUAGES, words
from bot.messages import Reply, Select

DATA_BYTES = 64
ROW_WIDTH = 30
"""Letters that a row of buttons can hold on a phone before they are cut."""
MAX_IN_ROW = 4
MAX_BUTTONS = 24
OPEN = "!open="
"""A press on a select: shows what it offers below it, or hides it again."""

Key = dict[str, str]


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a press says: the language of the message, the packed query, and the change to it."""

    language: str
    state: str
    change: str


def pack(language: str, state: str | None, change: str) -> str | None:
    """callback_data, or None where it would not fit."""
    data = f"{language}|{state or ''}|{change}"
    return data if len(data.encode()) <= DATA_BYTES else None


def unpack(data: str) -> Pressed | None:
    """The parts of a callback_data that we made; None for anything else (it comes from outside)."""
    language, _, rest = data.partition("|")
    state, bar, change = rest.partition("|")
    if language not in LANGUAGES or not bar or not change or len(data.encode()) > DATA_BYTES:
        return None
    return Pressed(language, state, change)


def keyboard(reply: Reply, extra: tuple[tuple[str, str], ...] = (), opened: str = "") -> list[list[Key]]:
    """Rows of keys, as the Bot API takes them: buttons, a key for each select, what the `opened` one offers.

    `extra` are (label, change) of the adapter's own; there is always room for them.
    """
    lines: list[list[tuple[str, str]]] = [[(button.label, button.change) for button in reply.buttons]]
    lines.append([_head(select, select.name == opened) for select in reply.selects])
    lines += [
        [(("✓ " if option.chosen else "") + option.label, option.change) for option in select.options]
        for select in reply.selects
        if select.name == opened
    ]
    rows: list[list[Key]] = []
    left = MAX_BUTTONS - len(extra)
    for line in lines:
        keys = _keys(reply, line)[:left]
        left -= len(keys)
        rows += _rows(keys)
    return rows + _rows(_keys(reply, extra))


def own_keys(reply: Reply, *, group: bool, picture: bool = True) -> tuple[tuple[str, str], ...]:
    """Keys that every answer has: its picture where there is memory to draw; in groups feedback, and away with it."""
    say = words(reply.language)
    label = "📊" if group else f"📊 {say('picture')}"  # the row is full in groups
    drawn = ((label, "show=picture"),) if picture and reply.selects and reply.state else ()
    feedback = (("👍", "!up"), ("👎", "!down"), (f"🗑 {say('delete')}", "!del")) if group else ()
    return drawn + feedback


def choices(lines: Sequence[tuple[str, str]], language: str) -> list[list[Key]]:
    """One key a row: (label, change)."""
    return [[key] for key in _keys(Reply(language=language), lines)]


def _head(select: Select, opened: bool) -> tuple[str, str]:
    """What is chosen, or what there is to choose."""
    chosen = next((option.label for option in select.options if option.chosen), select.placeholder)
    return f"{chosen[: ROW_WIDTH - 2]} {'▴' if opened else '▾'}", OPEN + ("" if opened else select.name)


def _keys(reply: Reply, line: Sequence[tuple[str, str]]) -> list[Key]:
    return [
        {"text": label[:ROW_WIDTH], "callback_data": data}
        for label, change in line
        if label.strip() and (data := pack(reply.language, reply.state, change))
    ]


def _rows(buttons: list[Key]) -> list[list[Key]]:
    """As many in a row as a phone shows whole."""
    rows: list[list[Key]] = []
    used = ROW_WIDTH
    for button in buttons:
        size = len(button["text"]) + 3
        if used + size > ROW_WIDTH or len(rows[-1]) == MAX_IN_ROW:
            rows.append([])
            used = 0
        rows[-1].append(button)
        used += size
    return rows

"""A Reply in the terminal: colours, tables and a small memory bar for a person, plain Markdown for a pipe.

rich is imported only where a terminal is there to show it.
"""

import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from bot.messages import Reply, Table, Text, table_markdown

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from advisor.advice import Advice, Need

PREVIEWS = {"discord": "bot.adapters.discord.preview", "telegram": "bot.adapters.telegram.preview"}
"""What a platform would be sent, as text."""

BAR_WIDTH = 48
NARROWEST = 24
COLOURS = ("cyan", "green", "yellow", "magenta", "blue", "red", "bright_cyan", "bright_green", "bright_yellow", "white")
WIDEST_TEXT = 100


def show(reply: Reply, form: str = "terminal", advice: "Advice | None" = None) -> None:
    """Print a reply. `form` terminal: rich when stdout is a terminal, Markdown otherwise."""
    if reply.silent:
        return
    if form in PREVIEWS and find_spec(PREVIEWS[form]) is not None:
        print(import_module(PREVIEWS[form]).preview(reply))  # noqa: T201
    elif form == "terminal" and sys.stdout.isatty():
        from rich.console import Console

        show_rich(Console(), reply, advice)
    else:
        print(markdown(reply))  # noqa: T201


def markdown(reply: Reply) -> str:
    """The whole reply as Markdown: the short answer, what could be changed, then the depth."""
    parts = [reply.text]
    if reply.buttons:
        parts.append(" ".join(f"[{button.label}]" for button in reply.buttons))
    parts += (part.markdown if isinstance(part, Text) else table_markdown(part) for part in reply.more)
    return "\n\n".join(part for part in parts if part)


def show_rich(console: "Console", reply: Reply, advice: "Advice | None" = None, *, numbered: bool = False) -> None:
    """Print a reply with rich; `numbered` puts a number before each button, to be typed."""
    for block, shown in zip(reply.blocks, renderables(reply.blocks), strict=True):
        console.print(shown, width=min(console.width, WIDEST_TEXT))
        if isinstance(block, Text):
            console.print()
    if advice is not None:
        for line in bars(advice, min(BAR_WIDTH, console.width - NARROWEST), reply.language):
            console.print(line)
    if reply.buttons:
        from rich.text import Text as Line

        line = Line()
        for number, button in enumerate(reply.buttons, start=1):
            label = f" {number} {button.label} " if numbered else f" {button.label} "
            line.append(label, style="reverse").append(" ")
        console.print(line)


def renderables(blocks: Iterable[Text | Table]) -> "Iterator[RenderableType]":
    """Each block as something that rich can print."""
    from rich import box
    from rich.markdown import Markdown
    from rich.table import Table as Grid
    from rich.text import Text as Line

    for block in blocks:
        if isinstance(block, Text):
            yield Markdown(hard_breaks(block.markdown), hyperlinks=True)
        else:
            grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
            for cell in block.header:
                grid.add_column(Line(plain(cell)))
            for row in block.rows:
                grid.add_row(*(Line(plain(cell)) for cell in row))
            yield grid


def hard_breaks(text: str) -> str:
    """Single line ends are meant as such, as chats show them; inside a fence nothing changes."""
    fenced = False
    lines = []
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        lines.append(line if fenced or not line.strip() else line + "  ")
    return "\n".join(lines)


def plain(cell: str) -> str:
    """A table cell without emphasis marks."""
    return cell.replace("**", "").replace("`", "")


def bars(advice: "Advice", width: int, language: str) -> "Iterator[RenderableType]":
    """One stacked bar per stack, all to the same scale, and the legend of their parts."""
    from rich.text import Text as Line

    from bot.renderer import words_of
    from bot.renderer.filters import gib

    needs = [need for need in advice.needs if need.components]
    if not needs or width < 8:
        return
    scale = width / max(map(total, needs))
    names = parts_of(needs)
    colours = dict(zip(names, COLOURS * (1 + len(names) // len(COLOURS)), strict=False))
    called = words_of(language)
    longest = max(len(called["stack"][need.stack]) for need in needs)
    for need in needs:
        line = Line(f"{called['stack'][need.stack]:>{longest}} ")
        for name, cells in segments(need, scale):
            line.append("█" * cells, style=colours[name])
        yield line.append(f" {gib(need.device, language)}")
    legend = Line(" " * (longest + 1))
    for name in names:
        legend.append("■ ", style=colours[name]).append(f"{called['component'].get(name, name)}  ")
    yield legend
    yield Line()


def total(need: "Need") -> int:
    """What the bar's whole length stands for: the device figure, or the parts where they are more."""
    return max(need.device, sum(need.components.values()), 1)


def parts_of(needs: "Iterable[Need]") -> list[str]:
    """The names of all parts that are large enough to see, in the order in which they come."""
    return list(
        dict.fromkeys(name for need in needs for name, size in need.components.items() if size * 100 >= total(need))
    )


def segments(need: "Need", scale: float) -> Iterator[tuple[str, int]]:
    """(part, cells) so that the cells of all parts together are the rounded sum: no part's rounding adds up."""
    done = 0.0
    drawn = 0
    for name in parts_of([need]):
        done += need.components[name] * scale
        cells = round(done) - drawn
        drawn += cells
        yield name, cells

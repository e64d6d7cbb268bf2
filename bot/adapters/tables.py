"""Tables for a phone: monospaced where they are narrow enough, else one short paragraph a row."""

import re

from bot.messages import Table

PHONE_COLUMNS = 36
"""Monospaced characters that fit a phone's width without wrapping."""
_LINK = re.compile(r"\[([^\]\n]*)\]\([^)\s]*\)")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|~<>])")


def table_text(table: Table, columns: int = PHONE_COLUMNS) -> str:
    """A table as Markdown that every platform shows."""
    rows = [tuple(bare(cell) for cell in row) for row in (table.header, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if sum(widths) + 2 * (len(widths) - 1) <= columns:
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "```\n" + "\n".join(lines) + "\n```"
    return "\n\n".join(_row_text(table.header, row) for row in table.rows)


def bare(cell: str) -> str:
    """A cell without its Markdown, for a monospaced line."""
    text = _LINK.sub(r"\1", cell).replace("**", "").replace("`", "'")
    text = re.sub(r"(?<!\w)([*_])(\S(?:[^*_]*\S)?)\1(?!\w)", r"\2", text)
    return _ESCAPED.sub(r"\1", text).strip()


def _row_text(head: tuple[str, ...], row: tuple[str, ...]) -> str:
    first, rest = row[0], zip(head[1:], row[1:], strict=True)
    lead = first if "**" in first else f"**{first}**"
    return lead + "\n" + " · ".join(f"{name}: {cell}" if name else cell for name, cell in rest if cell)

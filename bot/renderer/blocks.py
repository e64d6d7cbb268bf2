"""A template's Markdown as the blocks of a Reply: text here, tables there."""

from bot.messages import Table, Text

MORE = "<!-- more -->"
"""Stands in a template where the short answer ends."""


def blocks(markdown: str) -> tuple[Text | Table, ...]:
    """Splits Markdown into text and tables; blank lines at the seams go."""
    made: list[Text | Table] = []
    if "|" not in markdown:
        _add_text(made, markdown.splitlines())
        return tuple(made)
    text: list[str] = []
    table: list[str] = []
    for line in [*markdown.splitlines(), ""]:
        is_row = line.startswith("|")
        if table and not is_row:
            made.append(_table(table))
            table = []
        if is_row:
            if text:
                _add_text(made, text)
                text = []
            table.append(line)
        else:
            text.append(line)
    _add_text(made, text)
    return tuple(made)


def _add_text(made: list[Text | Table], lines: list[str]) -> None:
    kept: list[str] = []
    for line in lines:
        line = line.rstrip()
        if line or (kept and kept[-1]):
            kept.append(line)
    body = "\n".join(kept).strip("\n")
    if body:
        made.append(Text(markdown=body))


def _table(lines: list[str]) -> Table:
    rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]
    return Table(header=rows[0], rows=tuple(row for row in rows[1:] if any(cell.strip("-:") for cell in row)))


def plain(markdown: str) -> str:
    """The first line without markup, for a notification."""
    first = markdown.lstrip().split("\n", 1)[0]
    return first.replace("**", "").replace("`", "").strip()

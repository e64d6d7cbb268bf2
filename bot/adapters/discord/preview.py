"""What Discord would show, as text: for `whichgpu ask --format discord`."""

from bot.adapters.discord.layout import rows_of, text_of
from bot.messages import Reply


def preview(reply: Reply) -> str:
    """The text, the names of the files that long code becomes, and the rows of buttons and selects."""
    text, files = text_of(reply)
    shown = [text, *(f"[file {name}]" for name, _ in files)]
    for row in rows_of(reply, "direct", pictured=False):
        parts = row.to_component_dict()["components"]
        shown.append(" ".join(f"[{part.get('label') or part.get('placeholder') or '…'}]" for part in parts))
    return "\n".join(shown)

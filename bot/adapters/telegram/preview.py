"""What Telegram would show, as text: for `whichgpu ask --format telegram`."""

from bot.adapters.telegram.formatting import pieces
from bot.adapters.telegram.keyboard import keyboard
from bot.messages import Reply


def preview(reply: Reply) -> str:
    """The messages, a line between them, and the rows of buttons below."""
    said = "\n———\n".join(piece.text for piece in pieces(reply))
    markup = keyboard(reply)
    rows = [" ".join(f"[{button.text}]" for button in row) for row in markup.inline_keyboard] if markup else []
    return "\n".join([said, "", *rows]) if rows else said

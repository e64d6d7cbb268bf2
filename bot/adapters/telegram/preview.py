"""What Telegram would show, as text: for `whichgpu ask --format telegram`."""

from bot.adapters.telegram.formatting import pieces
from bot.adapters.telegram.keyboard import keyboard
from bot.messages import Reply


def preview(reply: Reply) -> str:
    """The messages, a line between them, and the rows of buttons below."""
    said = "\n———\n".join(piece.text for piece in pieces(reply))
    rows = [" ".join(f"[{key['text']}]" for key in row) for row in keyboard(reply)]
    return "\n".join([said, "", *rows]) if rows else said

"""A query in a button: packed into at most 40 characters, and changed by what the button says."""

from bot.codec.changes import apply_change
from bot.codec.pack import pack, unpack
from bot.codec.short import shorten

__all__ = ["apply_change", "pack", "shorten", "unpack"]

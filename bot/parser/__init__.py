"""The reader: what a person wrote becomes a Query. Pure and synchronous; linear in the length of the text."""

from bot.parser.reading import Reading, read

__all__ = ["Reading", "read"]

"""A document that someone sends: a config, a script or a log, read as text."""

from pathlib import PurePath

from telegram import Bot
from telegram.error import TelegramError

from bot.adapters.telegram.updates import Attached
from bot.guard import FILE_BYTES

SUFFIXES = {
    ".yaml",
    ".yml",
    ".json",
    ".jsonc",
    ".toml",
    ".py",
    ".ipynb",
    ".sh",
    ".txt",
    ".log",
    ".md",
    ".cfg",
    ".out",
    ".err",
    "",
}


class Unreadable(Exception):  # noqa: N818 - what the file is
    """A file that we do not read; `word` is the notice that says so."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word
        self.limit_kib = FILE_BYTES // 1024


async def read_document(bot: Bot, document: Attached) -> str:
    """Its text. Raises Unreadable for a file that is too large, no text, or not to be had."""
    if document.size > FILE_BYTES:
        raise Unreadable("file_too_large")
    if PurePath(document.name).suffix.lower() not in SUFFIXES:
        raise Unreadable("file_unreadable")
    try:
        file = await bot.get_file(document.file_id)
        data = bytes(await file.download_as_bytearray())
    except TelegramError as error:
        raise Unreadable("file_unreadable") from error
    if len(data) > FILE_BYTES:
        raise Unreadable("file_too_large")
    if b"\0" in data[:4096]:
        raise Unreadable("file_unreadable")
    return data.decode("utf-8", "replace")

"""Pasted files: configs, scripts and logs, read as text; whatever the platform they come from."""

from pathlib import PurePath

from bot.guard import FILE_BYTES

SUFFIXES = frozenset({".cfg", ".err", ".ipynb", ".json", ".jsonc", ".log", ".md", ".out", ".py", ".sh", ".toml"})
SUFFIXES |= {".txt", ".yaml", ".yml", ""}


class Unreadable(Exception):
    """A file that we do not read; `word` is the notice that says so."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word
        self.limit_kib = FILE_BYTES // 1024


def check(name: str, size: int) -> None:
    """Before it is fetched. Raises Unreadable."""
    if size > FILE_BYTES:
        raise Unreadable("file_too_large")
    if PurePath(name).suffix.lower() not in SUFFIXES:
        raise Unreadable("file_unreadable")


def decoded(data: bytes) -> str:
    """What stands in it. Raises Unreadable for what is too large or no text."""
    if len(data) > FILE_BYTES:
        raise Unreadable("file_too_large")
    if b"\0" in data[:4096]:
        raise Unreadable("file_unreadable")
    return data.decode("utf-8", "replace")

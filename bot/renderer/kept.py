"""Compiled templates, kept between starts: compiling is most of what a first answer costs.

A file per template beside the compiled knowledge, or in the user's cache folder where that is read-only. It holds a
checksum of the template's source, so a changed template is compiled again; one that cannot be read or written counts
as none. The code in it is as trustworthy as the package itself: both lie where only their owner writes.
"""

import contextlib
import os
from functools import cache
from pathlib import Path

from jinja2.bccache import Bucket, BytecodeCache

from knowledge.compiled import PACKAGE


class Kept(BytecodeCache):
    """Keeps the compiled templates of a language."""

    def __init__(self, language: str) -> None:
        self.language = language

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read what an earlier start, or who installed the package where we may not write, has compiled."""
        for home in homes():
            with contextlib.suppress(OSError), (home / self._path(bucket).name).open("rb") as file:
                bucket.load_bytecode(file)
            if bucket.code is not None:
                return

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write to the side and move into place: a process that starts meanwhile sees all of it or nothing."""
        path = self._path(bucket)
        beside = path.with_suffix(f".{os.getpid()}.tmp")
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            with beside.open("wb") as file:
                bucket.write_bytecode(file)
            beside.replace(path)

    def _path(self, bucket: Bucket) -> Path:
        return folder() / f"{self.language}-{bucket.key}.jinja"


@cache
def folder() -> Path:
    """Beside the compiled knowledge where that can be written."""
    beside = PACKAGE / ".compiled"
    if os.access(beside if beside.exists() else PACKAGE, os.W_OK):
        return beside / "templates"
    from platformdirs import user_cache_path

    return user_cache_path("whichgpu") / "templates"


def homes() -> tuple[Path, ...]:
    """Where to look: what came with the package, and last the folder that is written."""
    return tuple(dict.fromkeys((PACKAGE / ".compiled" / "templates", folder())))

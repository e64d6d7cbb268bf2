"""What has been answered, on disk before the database has it: one line in a file beside it.

A mark in the database costs a transaction, and the next answer would wait for it: were both in doubt when the process
is killed, both would come twice. A line in a file costs a microsecond, outlives a kill as the database does, and lets
the database write the marks of many answers together. Lines name events, not rows, so that they are true of a restored
backup too. A power cut may lose the last lines; then those answers come again.
"""

import contextlib
import json
import os
import time
from pathlib import Path

import structlog
from sqlalchemy.ext.asyncio.engine import AsyncEngine
from sqlalchemy.sql.base import Executable

log = structlog.get_logger(__name__)
COMPACT_BYTES = 64 * 1024

Name = tuple[str, str]
"""platform, event_id: the platform's own name of an event."""


class Journal:
    """One process writes it. `left` is what an earlier process had marked when it ended."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.left = _read(file)
        self._open = dict.fromkeys(self.left)
        """Marks that the database does not have yet, in order."""
        self._size = COMPACT_BYTES  # of the file that is there: unknown, so made anew at the first mark
        self._descriptor: int | None = None

    def write(self, name: Name) -> bool:
        """Put a mark on disk; False where the disk does not take it."""
        line = _line(name)
        try:
            if self._descriptor is None or self._size >= COMPACT_BYTES:
                self._compact()
            assert self._descriptor is not None
            whole = os.write(self._descriptor, line) == len(line)
        except OSError as error:
            log.warning("journal.refused", error=type(error).__name__)
            whole = False
        if whole:
            self._size += len(line)
            self._open[name] = None
        else:
            self._size = COMPACT_BYTES  # half a line may be there
        return whole

    def done(self, name: Name) -> None:
        """The database has it."""
        self._open.pop(name, None)

    def close(self) -> None:
        """Keep what the database has not; usually nothing, and then no file."""
        if self._descriptor is None:
            return
        with contextlib.suppress(OSError):
            if self._open:
                self._compact()
            else:
                self._file.unlink(missing_ok=True)
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _compact(self) -> None:
        """Make the file anew with what the database does not have."""
        new = self._file.with_name(self._file.name + "-new")
        descriptor = os.open(new, os.O_CREAT | os.O_WRONLY | os.O_TRUNC | os.O_APPEND, 0o600)
        try:
            content = b"".join(map(_line, self._open))
            if os.write(descriptor, content) != len(content):
                raise OSError("disk full")
            os.replace(new, self._file)
        except OSError:
            os.close(descriptor)
            raise
        if self._descriptor is not None:
            os.close(self._descriptor)
        self._descriptor, self._size = descriptor, len(content)


async def settle(journal: Journal, engine: AsyncEngine, mark_named: Executable) -> None:
    """Give the database the marks of an earlier process that was killed before it could."""
    if not journal.left:
        return
    rows = [{"where": platform, "name": event_id, "at": time.time()} for platform, event_id in journal.left]
    async with engine.begin() as connection:
        await connection.execute(mark_named, rows)
    for name in journal.left:
        journal.done(name)


def _line(name: Name) -> bytes:
    return json.dumps(name).encode() + b"\n"


def _read(file: Path) -> tuple[Name, ...]:
    """What is in the file; what cannot be read was not written whole."""
    try:
        lines = file.read_bytes().split(b"\n")[:-1]
    except OSError:
        return ()
    found = []
    for line in lines:
        with contextlib.suppress(ValueError):
            platform, event_id = json.loads(line)
            found.append((str(platform), str(event_id)))
    return tuple(found)

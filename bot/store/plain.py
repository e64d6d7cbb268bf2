"""SQLite without a detour: a whole transaction of the hot path in one go, on a connection and a thread of its own.

Each awaited statement would cost a change of threads, and on a busy machine each of those its wait.
"""

import asyncio
import contextlib
import sqlite3
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from sqlalchemy.sql.base import Executable

from bot.store.engine import BUSY_MS, SQLITE_PRAGMAS

Line = tuple[Executable, Mapping[str, Any]]
CHECKPOINT_ROWS = 250
"""After so many rows, about 1,000 pages, what the log has gathered goes into the file."""


class Plain:
    """`texts`: the statements that it can run, as SQLite's own SQL; their values need no conversion."""

    def __init__(self, file: Path, texts: Mapping[Executable, str]) -> None:
        self.texts = texts
        self._file = file
        self._thread: ThreadPoolExecutor | None = None
        self._connection: sqlite3.Connection | None = None
        self._waits: bool | None = None
        """Commits wait until the disk has them."""
        self._rows = 0
        self._checkpoint: asyncio.Future[None] | None = None

    async def write(self, lines: Sequence[Line], wait_for_disk: bool) -> list[list[Any]]:
        """One transaction; for each line the rows that it returned."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "store")
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._thread, self._transaction, lines, wait_for_disk)
        self._rows += len(lines)
        if self._rows >= CHECKPOINT_ROWS and (self._checkpoint is None or self._checkpoint.done()):
            self._rows = 0
            self._checkpoint = loop.run_in_executor(None, self._into_the_file)
        return found

    async def close(self) -> None:
        """Let the connection and the thread go; may be used again."""
        thread, self._thread = self._thread, None
        if self._checkpoint is not None:
            await asyncio.wait({self._checkpoint})
        if thread is not None:
            await asyncio.get_running_loop().run_in_executor(thread, self._disconnect)
            thread.shutdown(wait=False)

    def _transaction(self, lines: Sequence[Line], wait_for_disk: bool) -> list[list[Any]]:
        connection = self._connected()
        if wait_for_disk != self._waits:
            connection.execute(f"PRAGMA synchronous={'FULL' if wait_for_disk else 'NORMAL'}")
            self._waits = wait_for_disk
        connection.execute("BEGIN IMMEDIATE")
        try:
            found = [connection.execute(self.texts[statement], values).fetchall() for statement, values in lines]
            connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            self._disconnect()
            raise
        return found

    def _into_the_file(self) -> None:
        """A checkpoint beside the work: as a part of a commit it would hold up every hundredth question."""
        with (
            contextlib.suppress(sqlite3.Error),  # the next one does what this one could not
            contextlib.closing(sqlite3.connect(self._file.absolute().as_uri() + "?mode=rw", uri=True)) as connection,
        ):
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            if not self._file.exists():  # made by the migrations; never anew beside a bot that runs
                raise sqlite3.OperationalError("the database file is gone")
            self._connection = sqlite3.connect(
                self._file, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
            )
            for pragma in SQLITE_PRAGMAS:
                self._connection.execute(f"PRAGMA {pragma}")
            self._waits = None
        return self._connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()

"""SQLite without a detour: a whole transaction or look-up of the hot path in one go, each kind on a connection and a
thread of its own.

Each awaited statement would cost a change of threads, and on a busy machine each of those its wait.
"""

import asyncio
import contextlib
import json
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
        self._reader: ThreadPoolExecutor | None = None
        self._reading: sqlite3.Connection | None = None
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

    async def read(self, statement: Executable, keys: Mapping[str, Sequence[str]]) -> list[Any]:
        """The rows of a look-up, each list of keys handed over as one value. Raises sqlite3.Error."""
        if self._reader is None:
            self._reader = ThreadPoolExecutor(1, "store reads")
        values = {name: json.dumps(some) for name, some in keys.items()}
        return await asyncio.get_running_loop().run_in_executor(self._reader, self._look_up, statement, values)

    def _look_up(self, statement: Executable, values: Mapping[str, str]) -> list[Any]:
        try:
            if self._reading is None:
                self._reading = self._connect()
                self._reading.execute("PRAGMA query_only=ON")
            return self._reading.execute(self.texts[statement], values).fetchall()
        except sqlite3.Error:
            self._stop_reading()
            raise

    def _stop_reading(self) -> None:
        connection, self._reading = self._reading, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()

    async def close(self) -> None:
        """Let the connections and the threads go; may be used again."""
        reader, self._reader = self._reader, None
        if reader is not None:
            await asyncio.get_running_loop().run_in_executor(reader, self._stop_reading)
            reader.shutdown(wait=False)
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
            self._connection = self._connect()
            self._waits = None
        return self._connection

    def _connect(self) -> sqlite3.Connection:
        if not self._file.exists():  # made by the migrations; never anew beside a bot that runs
            raise sqlite3.OperationalError("the database file is gone")
        connection = sqlite3.connect(self._file, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
        for pragma in SQLITE_PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        return connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()

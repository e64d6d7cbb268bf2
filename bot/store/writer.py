"""The one writer: what all tasks want written goes into one transaction after the other.

While a transaction runs, the next one gathers. One question alone is committed at once; under load a commit
serves dozens, so that a slow disk costs each of them little. Rows of the same statement become one `executemany`.
On SQLite what every answer writes goes past all layers (`plain.py`).
"""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

import structlog
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio.engine import AsyncConnection, AsyncEngine
from sqlalchemy.sql.base import Executable

from bot.store.errors import StoreUnavailable, cure_of
from bot.store.plain import Plain

log = structlog.get_logger(__name__)
JOBS_PER_COMMIT = 500
GIVE_UP_SECONDS = 5.0
"""How long a writer that must know (an event to be confirmed) waits for a database that does not answer."""
LEISURE_SECONDS = 1.0
PAUSE = (0.05, 2.0)
"""First and longest pause before the next attempt, seconds."""


@dataclass(slots=True, eq=False)
class Op:
    """One row for one statement. Statements are module constants: the same object means the same executemany."""

    statement: Executable
    values: dict[str, Any]
    returning: bool = False
    alone: bool = False
    """Runs by itself and in order, and its result holds its own rows only."""


@dataclass(slots=True, eq=False)
class Step:
    """Something that must run on its own and in order, e.g. an erasure; returns what its caller needs."""

    run: Callable[[AsyncConnection], Coroutine[Any, Any, Any]]


@dataclass(slots=True, eq=False)
class Job:
    """What one caller wants committed together."""

    parts: Sequence[Op | Step]
    done: "asyncio.Future[list[Any]]"
    keep: bool
    """Written in the end, however long the database is away; others are refused after GIVE_UP_SECONDS."""
    born: float
    results: list[Any] = field(default_factory=list)


class Writer:
    """Gathers jobs and commits them in turn."""

    def __init__(self, engine: AsyncEngine, plain: Plain | None = None) -> None:
        self.engine = engine
        self._plain = plain
        """On SQLite: writes what answers leave behind, without a detour."""
        self.failing_since: float | None = None
        """Loop time since when the database takes nothing; None while it does."""
        self.commits = 0
        self._jobs: list[Job] = []
        self._leisure: list[Job] = []
        """What goes with the next transaction, or is written when LEISURE_SECONDS are over."""
        self._alarm: asyncio.TimerHandle | None = None
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self._connection: AsyncConnection | None = None

    def start(self) -> None:
        """Begin to write."""
        self._task = asyncio.create_task(self._run(), name="store writer")

    async def close(self, seconds: float = 5.0) -> int:
        """Write what is left; returns how many jobs could not be written."""
        self._closing = True
        self._hurry()
        if self._task is not None:
            _, late = await asyncio.wait({self._task}, timeout=seconds)
            for task in late:
                task.cancel()
                await asyncio.wait({task})
        await self._drop_connection()
        left, self._jobs = self._jobs, []
        for job in left:
            if not job.done.done():
                job.done.set_exception(StoreUnavailable("the store is closed"))
                job.done.exception()  # seen: nobody may be waiting any more
        return len(left)

    def submit(
        self, parts: Sequence[Op | Step], *, keep: bool = False, at_leisure: bool = False
    ) -> "asyncio.Future[list[Any]]":
        """Have these committed together; the future holds one result for each Step and returning Op.

        `at_leisure`: need not be at once, so that one commit serves many; for what is harmless to do again.
        Raises through the future: StoreUnavailable, or the database's error for a row that it cannot hold.
        """
        loop = asyncio.get_running_loop()
        job = Job(parts, loop.create_future(), keep, loop.time())
        if self._closing and self._task is not None and self._task.done():
            job.done.set_exception(StoreUnavailable("the store is closed"))
        elif at_leisure and not self._closing:
            self._leisure.append(job)
            if self._alarm is None:
                self._alarm = loop.call_later(LEISURE_SECONDS, self._hurry)
        else:
            self._leisure.append(job)
            self._hurry()
        return job.done

    def _hurry(self) -> None:
        """Begin to write what is there."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        self._jobs += self._leisure
        self._leisure.clear()
        self._news.set()

    async def _run(self) -> None:
        pause = PAUSE[0]
        while True:
            if not self._jobs:
                if self._closing:
                    return
                self._news.clear()
                await self._news.wait()
                continue
            batch, self._jobs = self._jobs[:JOBS_PER_COMMIT], self._jobs[JOBS_PER_COMMIT:]
            if await self._commit(batch):
                pause = PAUSE[0]
            else:
                await asyncio.sleep(pause)
                pause = min(PAUSE[1], pause * 2)

    async def _commit(self, batch: list[Job]) -> bool:
        """One transaction; False when the database is away and the batch went back."""
        try:
            await self._write(batch)
        except Exception as error:
            if _is_away(error):
                await self._put_back(batch, error)
                return False
            await self._drop_connection()
            await self._one_by_one(batch, error)
            return True
        except asyncio.CancelledError:
            self._jobs = batch + self._jobs
            raise
        self.commits += 1
        if self.failing_since is not None:
            log.info("store.back", seconds=round(asyncio.get_running_loop().time() - self.failing_since, 1))
            self.failing_since = None
        for job in batch:
            if not job.done.done():
                job.done.set_result(job.results)
        return True

    async def _write(self, batch: list[Job]) -> None:
        plain = self._plain
        if plain is not None and all(_is_plain(part, plain) for job in batch for part in job.parts):
            await self._write_plainly(plain, batch)
            return
        if self._connection is None:
            self._connection = await self.engine.connect()
        connection = self._connection
        async with connection.begin():
            for run in _grouped(batch):
                if isinstance(run, tuple):
                    job, part = run
                    job.results.append(await _alone(connection, part))
                    continue
                statement, rows_of = next(iter(run.items()))
                result = await connection.execute(statement, [op.values for _, op in rows_of])
                if rows_of[0][1].returning:
                    rows = list(result.fetchall())
                    for job, _ in rows_of:
                        job.results.append(rows)

    async def _write_plainly(self, plain: Plain, batch: list[Job]) -> None:
        lines = [(part.statement, part.values) for job in batch for part in job.parts if isinstance(part, Op)]
        # What is about to be confirmed to a platform survives a power cut; a mark is only made again.
        found = iter(await plain.write(lines, wait_for_disk=any(not job.keep for job in batch)))
        for job in batch:
            rows: dict[Executable, list[Any]] = {}
            ops = [part for part in job.parts if isinstance(part, Op)]
            for op in ops:
                rows.setdefault(op.statement, []).extend(next(found))
            job.results += [rows[op.statement] for op in ops if op.returning]

    async def _one_by_one(self, batch: list[Job], error: Exception) -> None:
        """A row that the database cannot hold fails for its own caller only."""
        if len(batch) == 1:
            log.error("store.refused", error=type(error).__name__)
            if not batch[0].done.done():
                batch[0].done.set_exception(error)
            return
        for job in batch:
            job.results.clear()
            await self._commit([job])

    async def _put_back(self, batch: list[Job], error: BaseException) -> None:
        now = asyncio.get_running_loop().time()
        await self._drop_connection()
        if self.failing_since is None:
            self.failing_since = now
            reason = _reason(error)
            log.error("store.unavailable", error=type(error).__name__, reason=reason, cure=cure_of(reason))
        again = []
        for job in batch:
            job.results.clear()
            if job.keep or now - job.born < GIVE_UP_SECONDS:
                again.append(job)
            elif not job.done.done():
                job.done.set_exception(StoreUnavailable(_reason(error)))
        self._jobs = again + self._jobs

    async def _drop_connection(self) -> None:
        if self._plain is not None:
            await self._plain.close()
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            async with asyncio.timeout(2):
                await connection.close()
        except (TimeoutError, SQLAlchemyError, OSError):
            await connection.invalidate()


def _is_plain(part: Op | Step, plain: Plain) -> bool:
    return isinstance(part, Op) and part.statement in plain.texts


async def _alone(connection: AsyncConnection, part: Op | Step) -> Any:
    if isinstance(part, Step):
        return await part.run(connection)
    return list((await connection.execute(part.statement, part.values)).fetchall())


Rows = dict[Executable, list[tuple[Job, Op]]]


def _grouped(batch: list[Job]) -> list[Rows | tuple[Job, Op | Step]]:
    """The batch in order, rows of one statement together; what runs alone keeps what came before before it."""
    runs: list[Rows | tuple[Job, Op | Step]] = []
    open_rows: Rows = {}
    for job in batch:
        for part in job.parts:
            if isinstance(part, Step) or part.alone:
                runs += [{statement: ops} for statement, ops in open_rows.items()]
                open_rows = {}
                runs.append((job, part))
            else:
                open_rows.setdefault(part.statement, []).append((job, part))
    return runs + [{statement: ops} for statement, ops in open_rows.items()]


def _is_away(error: Exception) -> bool:
    """Whether the database, not the row, is at fault: locked, full, connection lost, shutting down, too many
    clients."""
    if isinstance(
        error, (OperationalError, sqlite3.OperationalError, PoolTimeout, OSError)
    ):  # a TimeoutError is an OSError
        return True
    if not isinstance(error, DBAPIError):
        return False
    state = str(getattr(error.orig, "sqlstate", "") or "")
    return (
        error.connection_invalidated or state[:2] in ("08", "53", "57", "58") or "connection" in _reason(error).lower()
    )


def _reason(error: BaseException) -> str:
    """The driver's words, without the statement and its values."""
    return str(getattr(error, "orig", None) or error).splitlines()[0][:200] if str(error) else type(error).__name__

"""Opening the database: SQLite in WAL mode with one writer, or PostgreSQL; migrations; the lock; a corrupt file."""

import asyncio
import contextlib
import os
import sqlite3
from pathlib import Path
from typing import IO, Any

from sqlalchemy import Connection, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DatabaseError
from sqlalchemy.ext.asyncio.engine import AsyncConnection, AsyncEngine, create_async_engine

from bot.store.errors import StoreCorrupt, StoreError, StoreInUse
from bot.store.tables import schema

HEAD = "0001"
"""The newest migration, so that a start on a current database need not import Alembic; kept true by a test."""
BUSY_MS = 5_000
LARGE_BYTES = 32 * 1024**2
"""Checking a file of this size takes about a tenth of a second."""
SQLITE_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",  # a committed event survives a power cut too; commits are shared, so it costs little
    f"busy_timeout={BUSY_MS}",
    "foreign_keys=ON",
    "temp_store=MEMORY",
    "journal_size_limit=67108864",
    "wal_autocheckpoint=16384",  # 64 MiB, should `Plain` not come to it: a commit must not wait for a checkpoint
)


def open_engine(address: str) -> AsyncEngine:
    """An engine for `address` (a SQLAlchemy URL); creates the folder of a SQLite file."""
    url = make_url(address)
    if url.get_backend_name() == "sqlite":
        file = sqlite_file(address)
        if file is not None:
            _make_private_folder(file.parent)
        pool: dict[str, Any] = {"pool_size": 3, "max_overflow": 0, "pool_timeout": 30} if file else {}
        engine = create_async_engine(url, hide_parameters=True, **pool)
        event.listen(engine.sync_engine, "connect", _set_pragmas)
        return engine
    arguments: dict[str, Any] = {
        "timeout": 5,
        "command_timeout": 20,
        "server_settings": {"application_name": "whichgpu"},
    }
    pool = {"pool_size": 4, "max_overflow": 2, "pool_timeout": 10, "pool_pre_ping": True, "pool_recycle": 1800}
    return create_async_engine(url, hide_parameters=True, connect_args=arguments, **pool)


def sqlite_file(address: str) -> Path | None:
    """The file of a SQLite address; None for PostgreSQL or a database in memory."""
    url = make_url(address)
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        return None
    return Path(url.database)


def _make_private_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StoreError(
            f"cannot make the folder {folder} ({error.strerror}); set WHICHGPU_STATE_DIR to one that can be written"
        ) from None


def _set_pragmas(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in SQLITE_PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def check_file(file: Path, *, whole: bool = True) -> None:
    """Raise StoreCorrupt, with the way back, when a SQLite file is damaged. A missing file is fine.

    Not `whole`: of a large file only its first pages, so that a start does not wait.
    """
    if not file.exists():
        return
    whole = whole or file.stat().st_size <= LARGE_BYTES
    look = "PRAGMA quick_check(1)" if whole else "SELECT 'ok', count(*) FROM sqlite_master"
    address = f"{file.absolute().as_uri()}?mode=rw"
    try:
        with contextlib.closing(sqlite3.connect(address, uri=True, timeout=BUSY_MS / 1000)) as connection:
            verdict = connection.execute(look).fetchone()[0]
    except sqlite3.OperationalError as error:
        raise StoreError(f"cannot open {file} ({error}); check its owner and the free space on its disk") from None
    except sqlite3.DatabaseError as error:
        verdict = str(error)
    if verdict != "ok":
        raise StoreCorrupt(
            f"the database {file} is damaged ({' '.join(verdict.split())}). Nothing was changed. {_way_back(file)}"
        )


def _way_back(file: Path) -> str:
    """The command that restores the newest backup beside a file."""
    backups = sorted((file.parent / "backups").glob("*.db"), key=lambda found: found.stat().st_mtime)
    afresh = f"move it away to start afresh: mv {file} {file}.damaged"
    if not backups:
        return f"No backup lies in {file.parent / 'backups'}; from one elsewhere: whichgpu db restore FILE. Or {afresh}"
    return f"Restore the newest backup: whichgpu db restore {backups[-1]}, or {afresh}"


def hand_over(file: Path) -> None:
    """What root has made beside a SQLite file goes to the owner of the folder: else a service that runs as somebody
    else could not write its own database after `whichgpu db` or `doctor`."""
    folder = file.parent
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or not folder.exists():
        return
    owner = folder.stat()
    backups = folder / "backups"
    for path in (*folder.glob(f"{file.stem}*"), backups, *backups.glob("*")):
        if owner.st_uid != 0 and path.exists() and path.lstat().st_uid == 0:
            os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


class FileLock:
    """Only one process serves from one SQLite file; the lock ends with the process, also when it is killed."""

    def __init__(self, file: Path) -> None:
        self.path = file.with_suffix(".lock")
        self._file: IO[str] | None = None

    def take(self) -> None:
        """Raises StoreInUse when another process holds it."""
        try:
            import fcntl
        except ImportError:  # Windows: SQLite's own locks are all there is
            return
        self._file = open(self.path, "a+", encoding="utf-8")  # noqa: SIM115 - held until the process ends
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            self._file = None
            raise StoreInUse(
                f"another whichgpu serves from {self.path.with_suffix('.db')}: stop it, give this one its own"
                " WHICHGPU_STATE_DIR, or let both share a PostgreSQL (WHICHGPU_DATABASE_URL)"
            ) from None
        self._file.truncate(0)
        self._file.write(str(os.getpid()))
        self._file.flush()

    def held(self) -> bool:
        """Whether another process holds it."""
        try:
            self.take()
        except StoreInUse:
            return True
        self.release()
        return False

    def release(self) -> None:
        """Let another process serve."""
        if self._file is not None:
            self._file.close()
            self._file = None


async def schema_version(engine: AsyncEngine) -> str | None:
    """The migration that the database is at; None when it is empty."""
    async with engine.connect() as connection:
        if not await connection.run_sync(lambda sync: inspect(sync).has_table("alembic_version")):
            return None
        version = await connection.scalar(text("SELECT version_num FROM alembic_version"))
        return str(version) if version is not None else None


async def upgrade(engine: AsyncEngine) -> bool:
    """Bring the schema to HEAD; True when something was done. Refuses a database that is newer than this program."""
    try:
        version = await schema_version(engine)
    except DatabaseError as error:
        if "malformed" in str(error) or "not a database" in str(error):
            raise StoreCorrupt(str(error.orig)) from None
        raise
    if version == HEAD:
        return False
    if version is None:
        async with engine.begin() as connection:
            await _one_at_a_time(connection)
            if await connection.run_sync(_create):
                return True
    await _migrate(engine, version)
    return True


def _create(connection: Connection) -> bool:
    """An empty database gets the schema at once: no need to load Alembic and to walk through history."""
    if inspect(connection).get_table_names():
        return False
    schema(connection.dialect.name).create_all(connection)
    connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
    connection.execute(text("INSERT INTO alembic_version (version_num) VALUES (:head)"), {"head": HEAD})
    return True


async def _migrate(engine: AsyncEngine, version: str | None) -> None:
    from bot.migrations import run

    known = await asyncio.to_thread(run.known_versions)
    if version is not None and version not in known:
        raise StoreError(
            f"the database is at migration {version}, newer than this whichgpu ({HEAD}): install the newer whichgpu"
            " again, or restore the backup that was made before the upgrade"
        )
    async with engine.begin() as connection:
        await _one_at_a_time(connection)
        await connection.run_sync(run.upgrade_connection)


async def _one_at_a_time(connection: AsyncConnection) -> None:
    """Several processes may start at once on one PostgreSQL; the first one migrates, the others wait for it."""
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(7823645)"))

"""`whichgpu db`: migrate, check, back up, restore, export or erase a person."""

import asyncio
import contextlib
import json
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from bot.settings import Settings, SettingsFaults, load_settings
from bot.store import Store, StoreError
from bot.store.engine import HEAD, FileLock, check_file, hand_over, open_engine, schema_version, sqlite_file

app = typer.Typer(
    help="The database: migrate, check, back up, restore, export or erase a person.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
Result = TypeVar("Result")


def _settings() -> Settings:
    try:
        return load_settings()
    except SettingsFaults as faults:
        raise SystemExit("\n".join(faults.faults)) from None


def _run(work: Callable[[Store], Awaitable[Result]]) -> Result:
    """Open the store beside a bot that may be serving, do it, close."""

    async def run() -> Result:
        store = await Store.open(_settings().database, lock=False)
        try:
            return await work(store)
        finally:
            await store.close()

    try:
        return asyncio.run(run())
    except (StoreError, OSError) as error:
        raise SystemExit(str(error)) from None


@app.command()
def upgrade() -> None:
    """Bring the database to this version's schema. `serve` does the same when it starts."""
    _run(_nothing)
    typer.echo(f"at migration {HEAD}")


async def _nothing(store: Store) -> None:
    """Opening has migrated."""


@app.command()
def check() -> None:
    """Whether the database is sound and at this version's schema; exit status 1 when not."""

    async def run() -> str | None:
        engine = open_engine(_settings().database)
        try:
            version = await schema_version(engine)
            if version != HEAD:
                return f"at migration {version or 'none'}, this version wants {HEAD}: run `whichgpu db upgrade`"
            from bot.migrations.run import differences

            async with engine.connect() as connection:
                found = await connection.run_sync(differences)
            return "the schema differs from the code: " + "; ".join(found) if found else None
        finally:
            await engine.dispose()

    file = sqlite_file(_settings().database)
    try:
        if file is not None:
            check_file(file)
        fault = asyncio.run(run())
    except (StoreError, OSError) as error:
        fault = str(error)
    if fault:
        raise SystemExit(fault)
    typer.echo(f"{_settings().database_shown}: sound, at migration {HEAD}")


def _sqlite(what: str) -> Path:
    file = sqlite_file(_settings().database)
    if file is None:
        tool = {
            "backup": "pg_dump -Fc DATABASE > whichgpu.dump",
            "restore": "pg_restore --clean -d DATABASE whichgpu.dump",
        }
        raise SystemExit(f"this is PostgreSQL: use its own tool, {tool[what]}")
    return file


@app.command()
def backup(
    target: Annotated[Path | None, typer.Argument(help="File to write; default: STATE_DIR/backups/DATE.db")] = None,
) -> None:
    """A consistent copy of the SQLite database, also while the bot serves."""
    file = _sqlite("backup")
    if not file.exists():
        raise SystemExit(f"there is no database at {file} yet")
    target = target or file.parent / "backups" / f"{datetime.now(UTC):%Y%m%d-%H%M%S}.db"
    if target.exists():
        raise SystemExit(f"{target} exists; name another file")
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(".part")
    try:
        check_file(file)
        with contextlib.closing(sqlite3.connect(file)) as source, contextlib.closing(sqlite3.connect(part)) as copy:
            source.backup(copy, pages=1_000, sleep=0.01)
        check_file(part)
        part.replace(target)
    except (sqlite3.Error, OSError, StoreError) as error:
        part.unlink(missing_ok=True)
        raise SystemExit(f"no backup was made: {error}") from None
    hand_over(file)
    typer.echo(target)


@app.command()
def restore(source: Annotated[Path, typer.Argument(help="A file that `whichgpu db backup` wrote.")]) -> None:
    """Put a backup in place of the SQLite database; what was there is kept beside it. Stop the bot first."""
    file = _sqlite("restore")
    lock = FileLock(file)
    try:
        if not source.is_file():
            raise StoreError(f"there is no file {source}")
        check_file(source)
        file.parent.mkdir(parents=True, exist_ok=True)
        lock.take()
        kept = f"before-{datetime.now(UTC):%Y%m%d-%H%M%S}"
        for name in (file, Path(f"{file}-wal"), Path(f"{file}-shm")):
            if name.exists():
                name.rename(f"{name}.{kept}")
        shutil.copy2(source, file)
    except (StoreError, OSError) as error:
        raise SystemExit(f"not restored: {error}") from None
    finally:
        lock.release()
    typer.echo(f"restored from {source}; what was there is kept as {file}.{kept}")
    upgrade()


def _person(text: str) -> tuple[str, str]:
    platform, colon, person = text.partition(":")
    if not colon or platform not in ("telegram", "discord", "terminal") or not person:
        raise SystemExit("name a person as platform:id, e.g. telegram:1234567")
    return platform, person


@app.command()
def export(person: Annotated[str, typer.Argument(help="platform:id, e.g. telegram:1234567")]) -> None:
    """All that is stored about a person, as JSON."""
    who = _person(person)
    found: Any = _run(lambda store: store.export(*who))
    typer.echo(json.dumps(found, indent=1, ensure_ascii=False))


@app.command()
def forget(person: Annotated[str, typer.Argument(help="platform:id, e.g. telegram:1234567")]) -> None:
    """Erase all that is stored about a person, as /forget does."""
    who = _person(person)
    typer.echo(f"{_run(lambda store: store.forget(*who))} rows erased")
    file = sqlite_file(_settings().database)
    if file is not None and FileLock(file).held():
        typer.echo("A bot serves from this database: restart it, so that it has nothing of them in memory either")

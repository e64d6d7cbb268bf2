"""Marks on disk before the database has them: what a kill in between leaves, and what the file grows to."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from bot.inbox import Inbox
from bot.store import Store, journal
from bot.store.journal import Journal
from tests.bot.runtime.conftest import until
from tests.bot.runtime.test_inbox import Answers, events, outcomes, working


def _held_back(store: Store) -> list[list[Any]]:
    """The database takes events, but no marks: they stay in a transaction that never ends."""
    marks: list[list[Any]] = []
    write = store.writer._write

    async def _write(batch: list[Any]) -> None:
        if any(part.statement is store.say.mark for job in batch for part in job.parts):
            marks.append(batch)
            await asyncio.Event().wait()
        await write(batch)

    store.writer._write = _write  # type: ignore[method-assign]
    return marks


async def test_what_was_answered_is_not_answered_again_after_a_kill(tmp_path: Path) -> None:
    address = f"sqlite+aiosqlite:///{tmp_path / 'whichgpu.db'}"
    store = await Store.open(address)
    handler = Answers()
    inbox = Inbox(store)
    inbox.start({"test": handler})
    await until(lambda: not inbox._more and not inbox._loose)
    held = _held_back(store)
    await inbox.put(events(20))
    await until(lambda: len(handler.said) == 20)  # none waited for a commit
    assert held
    store.writer._jobs.clear()
    await inbox.stop(0.1)
    assert store.writer._task is not None
    store.writer._task.cancel()  # a kill: nothing is written, nothing tidied up
    assert store.writer._plain is not None
    await store.writer._plain.close()
    await store.engine.dispose()
    assert store._lock is not None
    store._lock.release()

    again = Answers()
    store = await Store.open(address)
    async with working(store, again) as inbox:
        await inbox.put(events(3, start=20))
        await until(lambda: len(again.said) == 3)
        assert again.said == ["e20", "e21", "e22"]
        await until(lambda: not inbox._held)
        assert await outcomes(store) == {"answered": 23}
    await store.close()


async def test_no_file_is_left_when_the_database_has_everything(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'whichgpu.db'}")
    handler = Answers()
    async with working(store, handler) as inbox:
        await inbox.put(events(5))
        await until(lambda: len(handler.said) == 5)
        assert (tmp_path / "whichgpu.db-marks").stat().st_mode & 0o777 == 0o600
    await store.close()
    assert "whichgpu.db-marks" not in os.listdir(tmp_path)


def test_half_a_line_and_rubbish_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "marks"
    file.write_bytes(b'["telegram", "1"]\nrubbish\n{}\n[1]\n["telegram", "2 \\n x"]\n["telegr')
    assert Journal(file).left == (("telegram", "1"), ("telegram", "2 \n x"))
    assert Journal(tmp_path / "none").left == ()


def test_the_file_holds_what_the_database_lacks_and_stays_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "COMPACT_BYTES", 500)
    file = tmp_path / "marks"
    book = Journal(file)
    assert book.write(("telegram", "first"))
    for number in range(1_000):
        assert book.write(("telegram", str(number)))
        book.done(("telegram", str(number)))
    assert book.write(("telegram", "last"))
    assert file.stat().st_size < 600
    book.done(("telegram", "last"))
    book.close()
    assert Journal(file).left == (("telegram", "first"),)


def test_what_an_earlier_process_left_is_kept_until_the_database_has_it(tmp_path: Path) -> None:
    file = tmp_path / "marks"
    file.write_bytes(b'["telegram", "1"]\n')
    book = Journal(file)
    assert book.write(("telegram", "2"))
    assert Journal(file).left == (("telegram", "1"), ("telegram", "2"))


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = Journal(tmp_path / "marks")
    assert book.write(("telegram", "1"))
    write = os.write
    monkeypatch.setattr("bot.store.journal.os.write", lambda descriptor, line: write(descriptor, line[:5]))
    assert not book.write(("telegram", "2"))  # half a line
    assert not book.write(("telegram", "3"))
    monkeypatch.setattr("bot.store.journal.os.write", write)
    assert book.write(("telegram", "4"))
    assert Journal(tmp_path / "marks").left == (("telegram", "1"), ("telegram", "4"))

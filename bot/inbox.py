"""Durable work: an event is committed before it is confirmed to its platform, claimed, answered, marked.

    put ──commit──▶ row (claimed by this process) ──▶ chat's queue ──▶ Adapter.handle ──▶ mark ──commit──▶ done
                     └ not claimed when this process has enough, or another one works on that chat: fetched later

On SQLite one process does it all and takes over every open row when it starts. On PostgreSQL several processes share
the work: a claim is a lease that its owner renews; the rows of a process that died are fetched by the others.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from sqlalchemy.exc import SQLAlchemyError

from bot import metrics
from bot.claims import Claims
from bot.lanes import Lanes, Pause
from bot.store import Op, Store, StoreUnavailable
from bot.store.values import clean
from bot.work import Event, Handler, RetryLater, Work

log = structlog.get_logger(__name__)
BACKLOG = 512
"""Events held in memory; what comes beyond stays in the database until there is room, or for another process."""
TRIES = 4
"""So often an event may fail before it is set aside."""
PAUSES = (1.0, 4.0, 15.0)
"""Seconds before the second, third, fourth try."""
HANDLE_SECONDS = 90.0
"""The longest that handling one event may take."""
SWEEP_SECONDS = 0.5


class Inbox:
    """`put` takes events in; `start` begins to hand them to the handlers; `stop` finishes what was begun."""

    def __init__(self, store: Store, *, workers: int = 6, late_after: float = 7_200.0, backlog: int = BACKLOG) -> None:
        self.store = store
        self.claims = Claims(store)
        self.late_after = late_after
        self._backlog = backlog
        self.lanes = Lanes(self._handle, workers)
        self._handlers: dict[str, Handler] = {}
        self._held: set[int] = set()
        """Rows in memory or marked but not yet written: not to be fetched again."""
        self._more = True
        """The database may hold rows that nobody works on."""
        self._wake = asyncio.Event()
        self._loose = 0
        """Puts and looks under way whose rows nobody has claimed yet: what comes after them must not overtake them."""
        self._arrived: list[Event] = []
        self._admitting: asyncio.Task[None] | None = None
        self._loops: list[asyncio.Task[None]] = []
        self._stopping = False

    async def put(self, events: Sequence[Event]) -> int:
        """Commit events; only then may they be confirmed to the platform. Returns how many were new.

        Raises StoreUnavailable when the database does not take them: then do not confirm, try again.
        """
        if not events:
            return 0
        room = len(self._held) + len(events) <= self._backlog
        direct = room and not self._stopping and not self._more and not self._loose
        mine = direct and all(event.platform in self._handlers for event in events)
        if mine:
            self._expect(events)  # while the disk is busy
        self._loose += not mine
        try:
            fresh = await self.store.writer.submit([self._row(event, mine) for event in events])
        finally:
            self._loose -= not mine
        ids = {(row[1], row[2]): row[0] for row in fresh[0]}
        new = []
        for event in events:
            event.row = ids.pop((event.platform, event.event_id), 0)
            if event.row and event.row not in self._held:  # else: known already, or twice in one commit
                new.append(event)
        metrics.EVENTS.labels(events[0].platform, "new").inc(len(new))
        metrics.EVENTS.labels(events[0].platform, "again").inc(len(events) - len(new))
        if not mine:
            self._more = True
            self._wake.set()
            return len(new)
        self._held.update(event.row for event in new)
        if self.store.alone:
            self._enqueue([(event, False) for event in new])
        else:
            self._arrived += new
            if self._admitting is None or self._admitting.done():
                self._admitting = asyncio.create_task(self._admit(), name="inbox admit")
        return len(new)

    def _row(self, event: Event, mine: bool) -> Op:
        """The row of an event, claimed for this process or for whoever comes first."""
        event.received = now = time.time()
        event.event_id, event.chat, event.person = (
            clean(part, 128) for part in (event.event_id, event.chat, event.person)
        )
        values = {"platform": event.platform, "event_id": event.event_id, "chat": event.chat, "person": event.person,
                  "payload": json.dumps(event.payload, separators=(",", ":")), "sent": event.sent, "received": now,
                  "owner": self.claims.owner if mine else None,
                  "lease": self.claims.until(now) if mine else None}  # fmt: skip
        return Op(self.store.say.put, values, returning=True)

    async def _admit(self) -> None:
        """PostgreSQL: work on what just came, in order, but for chats that another process works on."""
        while self._arrived:
            events, self._arrived = self._arrived, []
            kept = await self.claims.kept(events)
            self._held.difference_update(event.row for event in events if event not in kept)
            self._enqueue([(event, False) for event in kept])

    async def handle_unsaved(self, event: Event) -> None:
        """Answer an event that could not be committed and will not come again: without net rather than not at all."""
        handler = self._handlers.get(event.platform)
        if handler is not None and not self._stopping:
            work = Work(self, event, late=False, again=False)
            work.marked = True  # there is no row
            async with asyncio.timeout(HANDLE_SECONDS):
                await handler.handle(event, work)

    def start(self, handlers: Mapping[str, Handler]) -> None:
        """Begin to work, first on what an earlier process left."""
        self._handlers = dict(handlers)
        self.lanes.start(handlers)
        self._loops = [asyncio.create_task(self._sweep(), name="inbox sweep")]
        if not self.store.alone:
            self._loops.append(asyncio.create_task(self.claims.keep_alive(), name="inbox leases"))

    async def stop(self, seconds: float = 9.0) -> int:
        """Finish what is being handled, leave the rest to the next start; returns how many were cut off."""
        self._stopping = True
        for loop in self._loops[:1]:
            loop.cancel()
        cut = await self.lanes.stop(seconds)
        for loop in self._loops:
            loop.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        await self.claims.release_mine()
        return cut

    @property
    def busy(self) -> int:
        """Events in memory, waiting or being handled."""
        return len(self._held)

    async def mark(self, event: Event, outcome: str, parts: Sequence[Op] = (), *, at_leisure: bool = False) -> None:
        """Write that an event is done. The row stays in `_held` until it is written, however long that takes.

        Returns when a kill cannot undo it any more: with a line in the journal, or the commit.
        """
        journal, name = self.store.journal, (event.platform, event.event_id)
        noted = not at_leisure and journal is not None and journal.write(name)
        op = Op(self.store.say.mark, {"row": event.row, "at": time.time(), "how": outcome})
        future = self.store.writer.submit([*parts, op], keep=True, at_leisure=at_leisure)
        future.add_done_callback(lambda done: self._written(event, done))
        if not at_leisure and not noted:
            await asyncio.wait({future}, timeout=5)

    def _written(self, event: Event, done: "asyncio.Future[Any]") -> None:
        if not done.cancelled() and done.exception() is not None:
            log.error("inbox.mark_failed", platform=event.platform, error=type(done.exception()).__name__)
            self.store.writer.submit(
                [Op(self.store.say.mark, {"row": event.row, "at": time.time(), "how": "set_aside"})], keep=True
            )
        elif self.store.journal is not None:
            self.store.journal.done((event.platform, event.event_id))
        self._held.discard(event.row)
        if self._more and len(self._held) * 2 <= self._backlog:
            self._wake.set()

    # Handling one

    def _enqueue(self, events: Sequence[tuple[Event, bool]]) -> None:
        self._expect([event for event, _ in events])
        self.lanes.add(events)

    def _expect(self, events: Sequence[Event]) -> None:
        self.store.expect((event.platform, event.chat, event.person) for event in events if event.person)

    async def _handle(self, handler: Handler, event: Event, again: bool) -> Pause | None:
        """Have one event handled; None when it is done with."""
        work = Work(self, event, time.time() - event.sent > self.late_after, again or event.tries > 0)
        try:
            async with asyncio.timeout(HANDLE_SECONDS):
                await handler.handle(event, work)
        except RetryLater as later:
            if work.marked:
                return None
            metrics.RETRIES.labels(event.platform, "later").inc()
            await self._postpone(event, later.seconds, counts=0)
            return Pause(later.seconds, lane_waits=True)
        except asyncio.CancelledError:
            if not work.marked:
                self._held.discard(event.row)
            raise
        except Exception as error:
            metrics.RETRIES.labels(event.platform, "failed").inc()
            log.exception("event.failed", platform=event.platform, event_id=event.event_id, tries=event.tries + 1)
            if work.marked:
                return None
            return await self._failed(event, isinstance(error, StoreUnavailable))
        await work.done("silent")
        metrics.LATENCY.labels(event.platform).observe(max(0.0, time.time() - event.received))
        return None

    async def _failed(self, event: Event, blameless: bool) -> Pause | None:
        """Try again later, or set it aside: known for two days, but not tried again."""
        pause = PAUSES[min(event.tries, len(PAUSES) - 1)]
        event.tries += 0 if blameless else 1
        if event.tries < TRIES:
            await self._postpone(event, pause, counts=0 if blameless else 1)
            return Pause(pause, lane_waits=False)
        metrics.SET_ASIDE.labels(event.platform).inc()
        log.error("event.set_aside", platform=event.platform, event_id=event.event_id)
        await self.mark(event, "set_aside")
        return None

    async def _postpone(self, event: Event, seconds: float, counts: int) -> None:
        values = {"row": event.row, "at": time.time() + seconds, "one_more": counts}
        self.store.writer.submit([Op(self.store.say.postpone, values)], keep=True)

    # What is in the database and not in memory

    async def _sweep(self) -> None:
        """Fetch rows that nobody works on: at the start, after an overflow, and from processes that died."""
        first = True
        while True:
            self._wake.clear()
            room = self._backlog - len(self._held)
            if (self._more or not self.store.alone) and room > self._backlog // 4 and self.store.healthy:
                try:
                    await self._fetch(room, first)
                    first = False
                except (StoreUnavailable, SQLAlchemyError) as error:
                    self._more = True
                    log.warning("inbox.sweep_failed", error=type(error).__name__)
            with contextlib.suppress(TimeoutError):
                # wait_for would swallow a cancellation that comes together with the wake-up
                async with asyncio.timeout(SWEEP_SECONDS):
                    await self._wake.wait()

    async def _fetch(self, room: int, first: bool) -> None:
        self._more = False  # before asking: a row that is put meanwhile sets it again
        self._loose += 1
        try:
            events = await self.claims.fetch(room, self._held, self._handlers, first)
        finally:
            self._loose -= 1
        self._more = self._more or len(events) >= room
        fresh = [(event, again) for event, again in events if event.row not in self._held]
        self._held.update(event.row for event, _ in fresh)
        self._enqueue(fresh)
        if fresh and not self.store.alone:
            self._wake.set()  # the next rows of the same chats

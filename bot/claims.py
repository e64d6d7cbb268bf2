"""Who works on which row of the inbox. On SQLite: this process on all; on PostgreSQL: leases that their owners
renew."""

import asyncio
import json
import time
from collections.abc import Collection, Iterable
from typing import Any

import structlog
from sqlalchemy import and_, exists, or_, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio.engine import AsyncConnection

from bot.store import Step, Store, StoreUnavailable
from bot.store import tables as t
from bot.store.owner import is_dead, process_name
from bot.work import Event

log = structlog.get_logger(__name__)
LEASE_SECONDS = 10.0
RENEW_SECONDS = 3.0
RELEASE_SECONDS = 1.0


class Claims:
    """Claims of one process."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.owner = process_name()

    def until(self, now: float) -> float:
        """When a claim made now ends unless it is renewed."""
        return now + LEASE_SECONDS

    async def fetch(
        self, room: int, held: Collection[int], platforms: Iterable[str], first: bool
    ) -> list[tuple[Event, bool]]:
        """Claim up to `room` open rows that nobody works on, oldest first. `first`: also those of processes that are
        dead."""
        names = tuple(platforms)
        if self.store.alone:
            rows = await self.store.rows(
                select(t.inbox, t.inbox.c.owner.label("before"))
                .where(t.open_rows, t.inbox.c.platform.in_(names), t.inbox.c.id.not_in(tuple(held)))
                .order_by(t.inbox.c.id)
                .limit(room)
            )
            return [(_event(row), first or row.before is not None) for row in rows]
        (taken,) = await self.store.write(Step(lambda c: self._claim(c, room, tuple(held), names, first)))
        return [(_event(row), before is not None) for row, before in taken]

    async def _claim(
        self, connection: AsyncConnection, room: int, held: tuple[int, ...], platforms: tuple[str, ...], first: bool
    ) -> list[tuple[Any, str | None]]:
        """Of each chat only the first row that is open, unless those before it are ours: so that order holds among
        processes."""
        now = time.time()
        if first:
            await self._bury(connection)
        mine, other = t.inbox, t.inbox.alias("other")
        free = or_(mine.c.owner.is_(None), mine.c.lease < now, mine.c.owner == self.owner)
        not_first = exists().where(
            other.c.chat == mine.c.chat, other.c.platform == mine.c.platform, other.c.done.is_(None),
            other.c.id < mine.c.id, or_(other.c.owner.is_(None), other.c.owner != self.owner),
        )  # fmt: skip
        due = (t.open_rows, free, mine.c.due <= now, mine.c.platform.in_(platforms), mine.c.id.not_in(held), ~not_first)
        found = (
            select(mine.c.id, mine.c.owner)
            .where(*due)
            .order_by(mine.c.id)
            .limit(room)
            .with_for_update(skip_locked=True)
        )
        before = {row[0]: row[1] for row in (await connection.execute(found)).fetchall()}
        if not before:
            return []
        claim = update(mine).where(mine.c.id.in_(before)).values(owner=self.owner, lease=self.until(now))
        rows = (await connection.execute(claim.returning(*mine.c))).fetchall()
        return [(row, before[row.id]) for row in sorted(rows, key=lambda row: int(row.id))]

    async def _bury(self, connection: AsyncConnection) -> None:
        """Let go of what processes of this host held that are dead: a restart goes on at once, not after the lease."""
        owners = select(t.inbox.c.owner).where(t.open_rows, t.inbox.c.owner.is_not(None)).distinct()
        dead = [owner for owner in (await connection.execute(owners)).scalars() if is_dead(owner, self.owner)]
        if dead:  # they stay named as owners: what they began may have been said already
            await connection.execute(update(t.inbox).where(t.open_rows, t.inbox.c.owner.in_(dead)).values(lease=0.0))

    async def kept(self, events: list[Event]) -> list[Event]:
        """Of events just put: those that this process may handle. A chat that another process works on keeps its order:
        its new rows are let go, and fetched when the earlier ones are done."""
        now, chats = time.time(), {event.chat for event in events}
        elsewhere = or_(t.inbox.c.owner.is_(None), and_(t.inbox.c.owner != self.owner, t.inbox.c.lease >= now))
        busy = (
            select(t.inbox.c.platform, t.inbox.c.chat)
            .where(t.open_rows, elsewhere, t.inbox.c.chat.in_(chats))
            .distinct()
        )
        try:
            taken = {(row[0], row[1]) for row in await self.store.rows(busy)}
            rows = {event.row for event in events if (event.platform, event.chat) in taken}
            if rows:
                let_go = update(t.inbox).where(t.inbox.c.id.in_(rows), t.inbox.c.owner == self.owner)
                await self.store.write(
                    Step(lambda connection: connection.execute(let_go.values(owner=None, lease=None)))
                )
        except StoreUnavailable:
            return events  # the order of a chat matters less than its answer
        return [event for event in events if event.row not in rows]

    async def keep_alive(self) -> None:
        """Renew the leases of this process until cancelled."""
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                await self.store.write(Step(self._renew))
            except (StoreUnavailable, SQLAlchemyError) as error:
                log.warning("inbox.lease_not_renewed", error=type(error).__name__)

    async def _renew(self, connection: AsyncConnection) -> None:
        mine = update(t.inbox).where(t.open_rows, t.inbox.c.owner == self.owner)
        await connection.execute(mine.values(lease=self.until(time.time())))

    async def release_mine(self) -> None:
        """Let others have what this process did not finish."""
        if self.store.alone:
            return
        let_go = update(t.inbox).where(t.open_rows, t.inbox.c.owner == self.owner).values(owner=None, lease=None)
        try:
            async with asyncio.timeout(RELEASE_SECONDS):
                await self.store.write(Step(lambda connection: connection.execute(let_go)))
        except (TimeoutError, StoreUnavailable, SQLAlchemyError):
            log.warning("inbox.not_released")  # the leases end by themselves


def _event(row: Any) -> Event:
    try:
        payload = json.loads(row.payload)
    except ValueError:
        payload = {}
    return Event(row.platform, row.event_id, row.chat, payload, row.sent, row.person, row.id, row.tries, row.received)

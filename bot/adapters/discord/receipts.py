"""Receipts: every interaction is on disk, and acknowledged in time, before anything else is done.

An interaction comes once and has to be answered within three seconds. One that a worker can take at once is answered
directly: one request, no "thinking". When there is a backlog it is deferred at once, beside the commit; when its
answer is not out after a second, it is deferred then. Answers wait for receipts that are under way, so that a process
that is killed in a burst has said to everybody that the answer will come, and the next process sends it.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import structlog

from bot.adapters.base import Event, RetryLater, Services, StoreUnavailable
from bot.adapters.discord.calls import LATER, LATER_UPDATE, Acknowledged, Calls, Over, Refused
from bot.adapters.discord.events import Used
from bot.adapters.discord.intake import Intake
from bot.adapters.discord.layout import EPHEMERAL

log = structlog.get_logger(__name__)
DIRECT_SECONDS = 1.0
"""An answer that is not out by then is deferred."""
PRIORITY_SECONDS = 1.0
"""So long at most answers wait for receipts, from the first one of a burst."""
TOO_LATE = 2.9
TOKEN_SECONDS = 15 * 60.0
TRIES = 3
AT_ONCE = 24
"""Deferrals on their way at the same time: a burst must not open hundreds of connections."""

Plan = Callable[[Used], tuple[bool, bool]]
"""Whether the answer changes the message that was pressed on, and whether only the asker will see it."""


class Ack:
    """How far the acknowledgement of one interaction is, in this process."""

    __slots__ = ("answered", "born", "deferral", "deferred", "lost", "timer")

    def __init__(self, born: float) -> None:
        self.born = born
        self.deferral: asyncio.Task[None] | None = None
        self.deferred = False
        self.answered = False
        self.lost = False
        """Too late, or taken by nobody: the token is of no use."""
        self.timer: asyncio.TimerHandle | None = None

    async def settled(self) -> None:
        """Wait for a deferral that is under way."""
        if self.deferral is not None:
            await asyncio.wait({self.deferral})

    def claim(self) -> None:
        """The answer goes out directly now: no deferral any more."""
        self.answered = True
        if self.timer is not None:
            self.timer.cancel()


class Receipts:
    """Takes interactions in."""

    def __init__(self, services: Services, calls: Calls, plan: Plan, direct: int) -> None:
        self.services = services
        self.calls = calls
        self.intake = Intake(services.inbox)
        self._plan = plan
        self._direct = direct
        """So many at a time are answered directly: what the workers can take at once."""
        self._acks: dict[str, Ack] = {}
        self._under_way = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._busy_since = 0.0
        self._tasks: set[asyncio.Task[Any]] = set()
        self._lines = asyncio.Semaphore(AT_ONCE)

    @property
    def under_way(self) -> int:
        """Receipts that are not given yet."""
        return self._under_way

    def ack(self, interaction: str) -> Ack | None:
        """What this process knows of an interaction; None for one that another process took in."""
        return self._acks.get(interaction)

    def forget(self, interaction: str) -> None:
        """It is done with."""
        ack = self._acks.pop(interaction, None)
        if ack is not None and ack.timer is not None:
            ack.timer.cancel()

    def begin(self) -> None:
        """One more is under way."""
        if not self._under_way:
            self._busy_since = asyncio.get_running_loop().time()
            self._quiet.clear()
        self._under_way += 1

    def end(self) -> None:
        """One less."""
        self._under_way -= 1
        if not self._under_way:
            self._quiet.set()

    async def quiet(self) -> None:
        """Returns when no receipt is under way; in a burst that goes on, after PRIORITY_SECONDS."""
        if self._under_way:
            left = self._busy_since + PRIORITY_SECONDS - asyncio.get_running_loop().time()
            if left > 0:
                try:
                    await asyncio.wait_for(self._quiet.wait(), left)
                except TimeoutError:
                    return

    def take(self, used: Used, event: Event) -> None:
        """Begin the receipt of an interaction that just came in."""
        self.begin()
        loop = asyncio.get_running_loop()
        self._drop_old(loop.time())
        ack = self._acks[used.id] = Ack(loop.time())
        if self._under_way + self.services.inbox.busy > self._direct:
            event.payload["deferred"] = True
            ack.deferral = loop.create_task(self._defer(used, ack))
        task = loop.create_task(self._take(used, event, ack))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _drop_old(self, now: float) -> None:
        """Interactions whose token has ended are of no use to anybody."""
        while self._acks:
            first = next(iter(self._acks))
            if now - self._acks[first].born < TOKEN_SECONDS:
                return
            self.forget(first)

    async def _take(self, used: Used, event: Event, ack: Ack) -> None:
        saved = True
        try:
            try:
                await asyncio.shield(self.intake.put(event))
            except StoreUnavailable:
                saved = False
            await ack.settled()
        finally:
            self.end()
        if not ack.deferred and not ack.answered:
            left = max(0.0, ack.born + DIRECT_SECONDS - asyncio.get_running_loop().time())
            ack.timer = asyncio.get_running_loop().call_later(left, self._defer_late, used, ack)
        if not saved:
            await self._unsaved(event, used)

    async def _unsaved(self, event: Event, used: Used) -> None:
        """The database is away: answer without the net."""
        try:
            await self.services.inbox.handle_unsaved(event)
        except (RetryLater, TimeoutError):
            log.warning("discord.unsaved_not_answered")
        finally:
            self.forget(used.id)

    def _defer_late(self, used: Used, ack: Ack) -> None:
        if ack.answered or ack.deferral is not None or used.id not in self._acks:
            return
        ack.deferral = asyncio.create_task(self._defer(used, ack))

    async def _defer(self, used: Used, ack: Ack) -> None:
        """Say that the answer comes. Whatever the platform says, it does not raise."""
        update, hidden = self._plan(used)
        data = {"flags": EPHEMERAL} if hidden and not update else None
        for attempt in range(TRIES):
            if asyncio.get_running_loop().time() - ack.born > TOO_LATE:
                break
            try:
                async with self._lines:
                    await self.calls.respond(used.id, used.token, LATER_UPDATE if update else LATER, data)
            except Acknowledged:
                pass
            except (Over, Refused) as error:
                log.info("discord.not_acknowledged", reason=type(error).__name__)
                break
            except RetryLater:
                await asyncio.sleep(0.15 * (attempt + 1))
                continue
            except Exception:
                log.exception("discord.defer_failed")
                break
            ack.deferred = True
            return
        ack.lost = True

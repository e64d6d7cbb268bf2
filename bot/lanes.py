"""Order and bounds in memory: events of one lane one after the other, at most so many at once on a platform."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

import structlog

from bot.work import Event, Handler

log = structlog.get_logger(__name__)
AFTER_FAULT_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Pause:
    """An event is not done with: again in so many seconds. `lane_waits`: what comes after it in its lane waits too."""

    seconds: float
    lane_waits: bool


@dataclass(slots=True)
class _Lane:
    """What waits in one lane; `busy` while its first event is being handled or waits for its time."""

    events: deque[tuple[Event, bool]] = field(default_factory=deque)
    busy: bool = False


Handle = Callable[[Handler, Event, bool], Awaitable[Pause | None]]


class Lanes:
    """`handle(handler, event, again)` has one event handled; None when it is done with."""

    def __init__(self, handle: Handle, workers: int) -> None:
        self._handle = handle
        self._workers = workers
        self._handlers: dict[str, Handler] = {}
        self._lanes: dict[tuple[str, str], _Lane] = {}
        self._ready: dict[str, deque[tuple[str, str]]] = {}
        self._running: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = False

    def start(self, handlers: Mapping[str, Handler]) -> None:
        """Take events for these platforms."""
        self._handlers = dict(handlers)
        self._ready = {name: deque() for name in handlers}
        self._running = dict.fromkeys(handlers, 0)

    async def stop(self, seconds: float) -> int:
        """Begin nothing more, let what was begun end; returns how many were cut off."""
        self._stopping = True
        if not self._tasks:
            return 0
        _, late = await asyncio.wait(set(self._tasks), timeout=seconds)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=1)
        return len(late)

    def add(self, events: Sequence[tuple[Event, bool]]) -> None:
        """Put events at the end of their lanes, each with whether it was begun before."""
        for event, again in events:
            key = (event.platform, event.lane or event.chat)
            lane = self._lanes.setdefault(key, _Lane())
            lane.events.append((event, again))
            if not lane.busy and len(lane.events) == 1:
                self._ready[event.platform].append(key)
                self._launch(event.platform)

    def _launch(self, platform: str) -> None:
        handler, ready = self._handlers[platform], self._ready[platform]
        most = min(handler.concurrency, self._workers)
        while ready and self._running[platform] < most and not self._stopping:
            self._running[platform] += 1
            task = asyncio.create_task(self._work(platform, handler))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _work(self, platform: str, handler: Handler) -> None:
        """One worker: takes the next lane that has something, until none has."""
        ready, loop = self._ready[platform], asyncio.get_running_loop()
        try:
            while ready and not self._stopping:
                key = ready.popleft()
                lane = self._lanes[key]
                lane.busy = True
                event, again = lane.events[0]
                try:
                    pause = await self._handle(handler, event, again)
                except Exception:  # a fault of ours: the event comes again, its lane goes on
                    log.exception("lanes.fault", platform=platform)
                    pause = Pause(AFTER_FAULT_SECONDS, lane_waits=False)
                if pause is not None and pause.lane_waits:
                    lane.events[0] = (event, True)
                    loop.call_later(pause.seconds, self._next, key, lane)
                    continue
                lane.events.popleft()
                if pause is not None:
                    loop.call_later(pause.seconds, self.add, [(event, True)])
                self._next(key, lane)
        finally:
            self._running[platform] -= 1

    def _next(self, key: tuple[str, str], lane: _Lane) -> None:
        lane.busy = False
        if lane.events:
            self._ready[key[0]].append(key)
            self._launch(key[0])
        else:
            self._lanes.pop(key, None)

"""What comes in together is committed together: one call to the inbox for all events of a moment."""

import asyncio

from bot.adapters.base import Event
from bot.inbox import Inbox


class Intake:
    """Gathers events until the event loop has read what the gateway sent."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._waiting: list[Event] = []
        self._done: asyncio.Future[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def put(self, event: Event) -> "asyncio.Future[None]":
        """Done when the event is on disk; raises StoreUnavailable through the future."""
        loop = asyncio.get_running_loop()
        self._waiting.append(event)
        if self._done is None:
            self._done = loop.create_future()
            loop.call_soon(self._flush)
        return self._done

    def _flush(self) -> None:
        events, self._waiting = self._waiting, []
        done, self._done = self._done, None
        assert done is not None
        task = asyncio.get_running_loop().create_task(self._put(events, done))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _put(self, events: list[Event], done: "asyncio.Future[None]") -> None:
        try:
            await self._inbox.put(events)
        except BaseException as error:
            if not done.done():
                done.set_exception(error)
                done.exception()  # seen: a caller may have been cancelled
            if not isinstance(error, Exception):
                raise
        else:
            if not done.done():
                done.set_result(None)

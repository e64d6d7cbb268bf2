"""A platform without a network, for tests of what is around the adapters."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from bot.adapters.base import Adapter, Event, Services, Work
from bot.messages import Question


class FakePlatform(Adapter):
    """`say` makes a person ask; `sent` is what the bot said. `behave` may raise, once per run."""

    name = "telegram"

    def __init__(self, services: Services, behave: Callable[[int], Any] | None = None) -> None:
        super().__init__(services)
        self.sent: list[tuple[str, str]] = []
        self.runs = 0
        self.closed = False
        self.behave = behave
        self.hold: asyncio.Event | None = None

    async def run(self) -> None:
        self.runs += 1
        if self.behave is not None:
            self.behave(self.runs)
        self.ready = True
        self.trouble = ""
        await asyncio.Event().wait()

    async def say(self, text: str, person: str = "ann", chat: str = "1", event_id: str | None = None) -> None:
        self.count = getattr(self, "count", 0) + 1
        event = Event(self.name, event_id or f"u{self.count}", chat, {"text": text}, time.time(), person)
        await self.services.inbox.put([event])

    async def handle(self, event: Event, work: Work) -> None:
        if self.hold is not None:
            await self.hold.wait()
        question = Question(text=event.payload["text"], platform=self.name, user=event.person, chat=event.chat)
        given = await self.services.desk.answer(question, work)
        if given.silent:
            return
        async with self.services.turns(self.name):
            self.sent.append((event.person, given.reply.text))
            await work.done()

    async def close(self) -> None:
        self.closed = True

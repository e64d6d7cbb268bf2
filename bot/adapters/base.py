"""What a platform's adapter is to the rest of the bot. Read this page and you can write one.

An adapter gets `Services` and has four duties:

**1. Receive** (`run`): connect, and commit what comes before it is confirmed to the platform. ::

    async def run(self) -> None:
        while True:
            updates = await self.calls.get_updates(offset)
            await self.services.inbox.put([Event("telegram", str(u["update_id"]), chat=..., payload=u, sent=...,
            person=...)])
            offset = ...            # only now: put() returned, so the rows are on disk
            self.ready = True

`run` goes on until it is cancelled. When it raises, the supervisor starts it again after a pause that grows; when it
raises `PlatformGone` (a revoked token), the platform is given up, the others go on and readiness says so.
`StoreUnavailable` out of `put` means: not on disk, do not confirm, ask again in a moment. A Discord interaction
cannot be
asked for again: after StoreUnavailable call `services.inbox.handle_unsaved(event)`, which answers without the net.

**2. Answer** (`handle`): called for each event, in order within a chat, at most `concurrency` at once. ::

    async def handle(self, event: Event, work: Work) -> None:
        if work.late:
            ...send words(language)("late") if the person addressed the bot; await work.done("late"); return
        outcome = await self.services.desk.answer(question, work, previous=unpack(state) if a button else None)
        if outcome.silent:
            return                                      # the worker marks it "silent"
        async with self.services.turns(self.name):      # at most one answer unmarked at a time, see Turns
            sent = await self.calls.send(...)
            work.add(store.answered("telegram", chat, message, person, str(sent.id)))   # to edit or delete it later
            await work.done()                           # committed with the conversation, in one transaction

Raise `RetryLater(seconds)` for a 429 or a platform that is away: the event comes again, its chat keeps its order, and
it
does not count as a failure. Any other exception is a failure: tried again after 1, 4, 15 s, then set aside (metric,
log).
Call `work.keep(ready)` before sending what may have to wait: `work.kept` is that at the next try, and nothing is
thought out twice.
`work.again` says that the event was begun before, so that its answer may have been sent: use a nonce (Discord), or look
for `store.answer_to(...)`.

**3. Say how it is** (`ready`, `trouble`): `ready` is True while connected. `trouble` is one line for /readyz and the
log.

**4. Let go** (`close`): called once, after `handle` has finished its last event (at most 10 s after SIGTERM).

What the services do, so that an adapter need not: guard (rate limits, allow and deny lists, text length), conversation,
preferences (language, opt-out), Hub look-up, counts, metrics. Ids are strings; `chat` of a Question and of its Event
are
the same: it is the key of the conversation. A `Question.asked` of "overheard" may end in silence.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bot.inbox import Inbox
from bot.store import Store, StoreUnavailable
from bot.work import Event, RetryLater, Work

if TYPE_CHECKING:
    from bot.desk import Desk
    from bot.settings import Settings
    from bot.turns import Turns

__all__ = ["Adapter", "Event", "PlatformGone", "RetryLater", "Services", "StoreUnavailable", "Work"]


class PlatformGone(Exception):
    """The platform will not have us any more, e.g. the token was revoked: `reason` and what to do, one line each."""

    def __init__(self, reason: str, cure: str) -> None:
        super().__init__(f"{reason}; {cure}")
        self.reason = reason
        self.cure = cure


@dataclass(frozen=True, slots=True)
class Services:
    """What an adapter may use."""

    settings: "Settings"
    store: Store
    inbox: Inbox
    desk: "Desk"
    turns: "Turns" = field(repr=False)


class Adapter(ABC):
    """Base of all adapters; see the page above."""

    name: str
    concurrency: int = 4
    """Events handled at the same time; the setting WORKERS bounds it too."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.ready = False
        self.trouble = ""

    @abstractmethod
    async def run(self) -> None:
        """Connect and receive until cancelled."""

    @abstractmethod
    async def handle(self, event: Event, work: Work) -> None:
        """Answer one event."""

    async def close(self) -> None:  # noqa: B027 - not every adapter holds something
        """Close connections."""

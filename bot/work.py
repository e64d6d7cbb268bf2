"""What the inbox hands to an adapter: an Event, and the Work of answering it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from bot.store import Op

if TYPE_CHECKING:
    from bot.inbox import Inbox


class RetryLater(Exception):
    """Raised by `Adapter.handle`: the platform is not to be asked again before so many seconds. Does not count as a
    failure."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"again in {seconds:.1f} s")
        self.seconds = max(0.05, float(seconds))


@dataclass(slots=True)
class Event:
    """Something that happened on a platform, as JSON; `event_id` is the platform's own and never comes twice for two
    things.

    Events of one `chat` are handled in order. `person` is who caused it: needed for erasure. `sent`: platform's time,
    seconds.
    """

    platform: str
    event_id: str
    chat: str
    payload: dict[str, Any]
    sent: float
    person: str = ""
    row: int = 0
    tries: int = 0
    received: float = 0.0
    lane: str = ""
    """What keeps events in order within this process; empty: the chat."""
    kept: "tuple[Any, tuple[Op, ...]] | None" = None
    """What an earlier try in this process made ready; see Work.keep."""


class Work:
    """One claimed event: what its handler may say about it.

    `late`: older than the setting allows, so answer with the polite note instead of an answer.
    `again`: it was begun before; its answer may have been sent already (use a nonce, or look at `Store.answer_to`).
    """

    def __init__(self, inbox: "Inbox", event: Event, late: bool, again: bool) -> None:
        self.event = event
        self.late = late
        self.again = again
        self.marked = False
        self._inbox = inbox
        self._parts: list[Op] = list(event.kept[1]) if event.kept else []

    @property
    def kept(self) -> Any:
        """What an earlier try made ready; None the first time."""
        return self.event.kept[0] if self.event.kept else None

    def keep(self, ready: Any) -> None:
        """The answer stands, with the rows added so far: should it have to wait, it is not thought out once more."""
        self.event.kept = (ready, tuple(self._parts))

    def add(self, *parts: Op) -> None:
        """Rows to be committed together with the mark: the conversation, the answer's id."""
        self._parts += parts

    async def done(self, outcome: str = "answered", *, at_leisure: bool = False) -> None:
        """Commit the mark now, with what was added. Call it right after sending; when it is not called, the worker
        does.

        Never raises for a database that is away: the mark is written when it is back. Returns after 5 seconds at the
        latest; at once with `at_leisure`, for answers that may be sent again because the platform takes them for one.
        """
        if not self.marked:
            self.marked = True
            await self._inbox.mark(self.event, outcome, self._parts, at_leisure=at_leisure)


class Handler(Protocol):
    """What the inbox needs of an adapter."""

    concurrency: int

    async def handle(self, event: Event, work: Work) -> None: ...

"""Turns: who may send now, so that a kill at the worst moment repeats one answer, not several.

Between "the platform has it" and "it is noted" a kill makes an answer come twice, where the platform has no idempotency
key (Telegram). One answer at a time keeps that to one. A network that hangs must not hold everybody up, so after
`patience` the next one may start; answers usually take a small part of it.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

PATIENCE_SECONDS = 1.0


@dataclass(slots=True)
class _Door:
    turn: int | None = None
    """The turn that began last, as long as others wait for its end."""
    until: float = 0.0
    timer: asyncio.TimerHandle | None = None
    waiting: "deque[asyncio.Future[int]]" = field(default_factory=deque)


class Turns:
    """`async with turns("telegram"):` around sending and marking."""

    def __init__(self, patience: float = PATIENCE_SECONDS) -> None:
        self.patience = patience
        self._doors: defaultdict[str, _Door] = defaultdict(_Door)
        self._count = 0

    @asynccontextmanager
    async def __call__(self, name: str) -> AsyncIterator[None]:
        """Waits until the turn before has ended, or has been going on for `patience` seconds. First come, first
        served."""
        door = self._doors[name]
        mine = self._begin(door) if door.turn is None else await self._wait(door)
        try:
            yield
        finally:
            self._pass_on(door, mine)

    def _begin(self, door: _Door) -> int:
        self._count += 1
        door.turn, door.until = self._count, asyncio.get_running_loop().time() + self.patience
        if door.waiting:
            self._be_patient(door)
        return self._count

    async def _wait(self, door: _Door) -> int:
        place: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        door.waiting.append(place)
        if door.timer is None:
            self._be_patient(door)
        try:
            return await place
        except asyncio.CancelledError:
            with suppress(ValueError):
                door.waiting.remove(place)
            if place.done() and not place.cancelled():  # it was given the turn just now, and will not take it
                self._pass_on(door, place.result())
            raise

    def _be_patient(self, door: _Door) -> None:
        door.timer = asyncio.get_running_loop().call_at(door.until, self._pass_on, door, door.turn)

    def _pass_on(self, door: _Door, turn: int | None) -> None:
        """The turn has ended or takes too long: the next one begins at once."""
        if turn != door.turn:
            return  # it took too long; others have begun since
        if door.timer is not None:
            door.timer.cancel()
            door.timer = None
        door.turn = None
        while door.waiting:
            place = door.waiting.popleft()
            if not place.done():
                place.set_result(self._begin(door))
                return

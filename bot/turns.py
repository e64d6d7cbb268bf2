"""Turns: who may send now, so that a kill at the worst moment repeats one answer, not several.

Between "the platform has it" and "the mark is on disk" a kill makes an answer come twice, where the platform has no
idempotency key (Telegram). One answer at a time keeps that to one. Waiting for a slow network must not hold everybody
up, so after `patience` the next one may start: 30 a second, which is what Telegram allows a bot anyway.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

PATIENCE_SECONDS = 1 / 30


class Turns:
    """`async with turns("telegram"):` around sending and marking."""

    def __init__(self, patience: float = PATIENCE_SECONDS) -> None:
        self.patience = patience
        self._doors: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._last: dict[str, tuple[asyncio.Future[None], float]] = {}
        """The turn that began last, and when."""

    @asynccontextmanager
    async def __call__(self, name: str) -> AsyncIterator[None]:
        """Waits until the turn before has ended, or has been going on for `patience` seconds. First come, first
        served."""
        loop = asyncio.get_running_loop()
        async with self._doors[name]:
            if name in self._last:
                before, begun = self._last[name]
                left = begun + self.patience - loop.time()
                if not before.done() and left > 0:
                    await asyncio.wait({before}, timeout=left)
            mine: asyncio.Future[None] = loop.create_future()
            self._last[name] = (mine, loop.time())
        try:
            yield
        finally:
            mine.set_result(None)

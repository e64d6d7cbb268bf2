"""Turns: who may send now, so that a kill at the worst moment repeats one answer, not several.

Between "the platform has it" and "the mark is on disk" a kill makes an answer come twice, where the platform has no
idempotency key (Telegram). One answer at a time keeps that to one. Waiting for a slow network must not hold everybody
up, so after `patience` the next one may start: 30 a second, which is what Telegram allows a bot anyway.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

PATIENCE_SECONDS = 1 / 30


class Turns:
    """`async with turns("telegram"):` around sending and marking."""

    def __init__(self, patience: float = PATIENCE_SECONDS) -> None:
        self.patience = patience
        self._last: dict[str, asyncio.Future[None]] = {}

    @asynccontextmanager
    async def __call__(self, name: str) -> AsyncIterator[None]:
        """Waits until the one before has finished, or has been at it for `patience` seconds."""
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        before, self._last[name] = self._last.get(name), mine
        try:
            if before is not None and not before.done():
                await asyncio.wait({before}, timeout=self.patience)
            yield
        finally:
            if not mine.done():
                mine.set_result(None)

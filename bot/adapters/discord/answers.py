"""Answers to interactions: directly, or into what was deferred; after a restart into what another process deferred."""

import asyncio
import time
from collections.abc import Callable

import structlog

from bot.adapters.discord.calls import NEW_MESSAGE, UPDATE, Acknowledged, Calls, Gone, Over, Refused
from bot.adapters.discord.custom_ids import base36
from bot.adapters.discord.events import Used, seconds_of
from bot.adapters.discord.layout import Layout, Where, classic, layout, notice
from bot.adapters.discord.receipts import TOO_LATE, Receipts
from bot.adapters.words import words
from bot.messages import Picture, Reply
from bot.store.loader import Recent

log = structlog.get_logger(__name__)
KEPT = 256
"""Layouts kept: the desk gives the same Reply for the same question."""


class Answers:
    """Puts replies into messages."""

    def __init__(self, calls: Calls, receipts: Receipts) -> None:
        self.calls = calls
        self.receipts = receipts
        self._kept: Recent[tuple[int, Where], tuple[Reply, Layout]] = Recent(KEPT)

    def layout(self, reply: Reply, where: Where) -> Layout:
        """The layout of a reply, made once."""
        key = (id(reply), where)
        if key in self._kept:
            kept, made = self._kept[key]
            if kept is reply:
                return made
        made = layout(reply, where)
        self._kept[key] = (reply, made)
        return made

    async def reply(
        self, used: Used, reply: Reply, where: Where, *, update: bool, hidden: bool, picture: Picture | None = None
    ) -> bool:
        """Answer an interaction; False when it is too late for that. Raises RetryLater."""
        made = self.layout(reply, where) if picture is None else layout(reply, where, picture)
        return await self.give(used, made, lambda: classic(reply, where), update=update, hidden=hidden, reply=reply)

    async def notice(self, used: Used, text: str) -> bool:
        """A short word that only the asker sees."""
        return await self.give(used, notice(text), None, update=False, hidden=not used.private)

    async def give(
        self,
        used: Used,
        made: Layout,
        plainer: Callable[[], Layout] | None,
        *,
        update: bool,
        hidden: bool,
        reply: Reply | None = None,
    ) -> bool:
        """Answer with a layout; with a plainer one where Discord refuses that."""
        await self.receipts.quiet()
        try:
            await self._give(used, made, update, hidden)
        except Refused as error:
            log.warning("discord.refused", detail=str(error))
            apology = notice(words(reply.language if reply else "en")("failed"))
            try:
                await self._give(used, plainer() if plainer else apology, update, hidden)
            except Refused:
                if plainer is None:
                    raise
                await self._give(used, apology, update, hidden)
        except (Over, Gone) as error:
            log.info("discord.too_late", reason=type(error).__name__, detail=str(error))
            return False
        return True

    async def _give(self, used: Used, made: Layout, update: bool, hidden: bool) -> None:
        ack = self.receipts.ack(used.id)
        asker = base36(used.user)
        if ack is None:
            await self._after_restart(used, made, asker, update, hidden)
            return
        await ack.settled()
        if ack.lost:
            raise Over("not acknowledged in time")
        if not ack.deferred:
            if asyncio.get_running_loop().time() - ack.born > TOO_LATE:
                raise Over("three seconds are over")
            ack.claim()
            try:
                await self._first(used, made, asker, update, hidden)
            except Acknowledged:
                ack.deferred = True
            else:
                return
        await self._edit(used, made, asker)

    async def _first(self, used: Used, made: Layout, asker: str, update: bool, hidden: bool) -> None:
        body = made.body(asker, ephemeral=hidden and not update)
        if update:
            body.setdefault("attachments", [])
        await self.calls.respond(used.id, used.token, UPDATE if update else NEW_MESSAGE, body, made.files)

    async def _edit(self, used: Used, made: Layout, asker: str) -> None:
        body = made.body(asker)
        body.setdefault("attachments", [])
        await self.calls.edit_original(used.app, used.token, body, made.files)

    async def _after_restart(self, used: Used, made: Layout, asker: str, update: bool, hidden: bool) -> None:
        """Another process took it in: most likely it was deferred; if not, perhaps there still is time."""
        try:
            await self._edit(used, made, asker)
        except Over:
            if time.time() - seconds_of(used.id) > TOO_LATE:
                raise
            await self._first(used, made, asker, update, hidden)

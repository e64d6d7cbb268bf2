"""Pressed buttons and chosen options. The query travels in their ids, so any process can answer them, at any time."""

from typing import Any

import structlog

from bot import codec
from bot.adapters.base import Services, Work
from bot.adapters.discord.answers import Answers
from bot.adapters.discord.calls import LATER_UPDATE, Acknowledged, Calls, Gone, Over
from bot.adapters.discord.custom_ids import Pressed, unpack
from bot.adapters.discord.events import SHARE, Used
from bot.adapters.discord.layout import QUIET, V2, Layout, Where, again
from bot.adapters.pictures import picture_for
from bot.adapters.words import language_of, words
from bot.messages import Question

log = structlog.get_logger(__name__)


def pressed_on(used: Used) -> Pressed | None:
    """What the press says."""
    return unpack(used.name, used.values.get("0"))


def is_mine(used: Used, pressed: Pressed) -> bool:
    """Whether the message is the presser's own to change."""
    return used.private or used.message_ephemeral or pressed.asker == used.user


def plan(used: Used) -> tuple[bool, bool]:
    """How an interaction will be answered: by changing the message that was pressed on, and for the asker's eyes only.

    Somebody who presses on another's answer gets one of their own that only they see.
    """
    if used.kind != "press":
        return False, used.ephemeral or used.name in ("forget", "about", "language", "whichgpu-setup")
    pressed = pressed_on(used)
    if pressed is None or pressed.change in ("!up", "!down"):
        return False, True
    if pressed.change == SHARE:
        return True, False
    mine = is_mine(used, pressed) or (pressed.change == "!del" and used.may_delete)
    return mine, not mine


class Presses:
    """Answers presses."""

    def __init__(self, services: Services, calls: Calls, answers: Answers) -> None:
        self.services = services
        self.calls = calls
        self.answers = answers

    async def pressed(self, used: Used, work: Work) -> None:
        """One press."""
        pressed = pressed_on(used)
        say = words(pressed.language if pressed else language_of(used.locale))
        if pressed is None:
            await self.answers.notice(used, say("expired"))
        elif pressed.change in ("!up", "!down"):
            query = codec.unpack(pressed.state) if pressed.state else None
            await self.services.store.feedback("discord", used.user, used.message, pressed.change == "!up", query)
            await self.answers.notice(used, say("thanks"))
        elif pressed.change == "!del":
            await self._delete(used, say)
        elif pressed.change == SHARE:
            await self._share(used, say)
        elif pressed.change == "show=picture":
            await self._picture(used, pressed)
        else:
            await self._change(used, pressed, work)
        await work.done(at_leisure=True)

    async def _change(self, used: Used, pressed: Pressed, work: Work) -> None:
        update, hidden = plan(used)
        query = codec.unpack(pressed.state) if pressed.state else None
        question = Question(
            locale=used.locale or None,
            language=pressed.language,
            platform="discord",
            user=used.user,
            chat=used.channel,
            asked="command",
            change=pressed.change,
        )
        given = await self.services.desk.answer(
            question, work, previous=query, places=(used.guild, used.parent), public=False
        )
        if given.silent:
            await self.answers.notice(used, words(pressed.language)("limited"))
            return
        where = _where(used, update)
        await self.answers.reply(used, given.reply, where, update=update, hidden=hidden)

    async def _picture(self, used: Used, pressed: Pressed) -> None:
        """The memory bar in the answer's place, with a way back."""
        query = codec.unpack(pressed.state) if pressed.state else None
        update, hidden = plan(used)
        if query is None:
            await self.answers.notice(used, words(pressed.language)("expired"))
            return
        picture, reply = await picture_for(query, pressed.language)
        if reply.silent:
            await self.answers.notice(used, words(pressed.language)("failed"))
            return
        short = reply.model_copy(update={"blocks": reply.blocks[:1], "buttons": (), "selects": ()})
        shown = short if picture is not None else reply
        await self.answers.reply(used, shown, _where(used, update), update=update, hidden=hidden, picture=picture)

    async def _delete(self, used: Used, say: Any) -> None:
        """The asker and moderators may delete an answer."""
        update, _ = plan(used)
        if not update:
            await self.answers.notice(used, say("not_yours"))
            return
        ack = self.answers.receipts.ack(used.id)
        try:
            if ack is not None:
                await ack.settled()
            if ack is None or not (ack.deferred or ack.lost):
                if ack is not None:
                    ack.claim()
                await self.calls.respond(used.id, used.token, LATER_UPDATE)
        except Acknowledged:
            log.debug("discord.acknowledged_before")
        except Over:
            return
        try:
            await self.calls.delete_original(used.app, used.token)
        except (Gone, Over) as error:
            log.debug("discord.gone_already", reason=type(error).__name__)

    async def _share(self, used: Used, say: Any) -> None:
        """What only the asker sees, for everybody: once."""
        if not used.shown:
            await self.answers.notice(used, say("expired"))
            return
        here = Layout(tuple(again(used.shown, public=False)))
        if not await self.answers.give(used, here, None, update=True, hidden=False):
            return
        body = {"components": again(used.shown, public=True), "flags": V2, "allowed_mentions": QUIET}
        try:
            await self.calls.follow_up(used.app, used.token, body)
        except (Gone, Over) as error:
            log.info("discord.not_shared", reason=type(error).__name__)


def _where(used: Used, update: bool) -> Where:
    if not update:
        return "hidden"
    return "hidden" if used.message_ephemeral else "direct" if used.private else "channel"

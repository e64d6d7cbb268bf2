"""Messages: mentions, replies, direct messages, and in channels where an admin wants it what the bot is sure about."""

import asyncio
import contextlib
import re
import textwrap
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import structlog

from bot.adapters.base import RetryLater, Services, Work
from bot.adapters.discord.answers import Answers
from bot.adapters.discord.calls import Calls, Closed, Gone, Refused
from bot.adapters.discord.cooldown import Cooldown
from bot.adapters.discord.custom_ids import base36
from bot.adapters.discord.events import Heard
from bot.adapters.discord.layout import Layout, Where, classic, notice
from bot.adapters.files import Unreadable
from bot.adapters.words import language_of, words
from bot.messages import Asked, Question, Reply
from bot.store import GivenAnswer
from bot.store.loader import Recent

log = structlog.get_logger(__name__)
TYPING_AFTER = 0.8
"""Seconds after which a slow look-up shows that something is being done."""
DEFAULT: dict[str, Any] = {"mode": "mentions", "place": "inline", "tag": ""}
NAME_CHARS = 80
SPOKEN = "overheard"
"""In the place of a message id: in this thread the bot has spoken unasked."""


class Talk:
    """Answers messages, changes and deletes what it said."""

    def __init__(self, services: Services, calls: Calls, answers: Answers) -> None:
        self.services = services
        self.calls = calls
        self.answers = answers
        self.cooldown = Cooldown()
        self.deleted: Recent[str, bool] = Recent(512)
        """Messages that were deleted of late: their answers are not wanted any more."""
        self._complained: Recent[str, bool] = Recent(512)

    async def settings(self, heard: Heard) -> dict[str, Any]:
        """What the admins decided for the channel, or for the channel that the thread is in."""
        store = self.services.store
        found = await store.channel("discord", heard.channel)
        if not found and heard.thread and heard.parent:
            found = await store.channel("discord", heard.parent)
        return DEFAULT | found

    async def asked(self, heard: Heard, settings: dict[str, Any]) -> Asked | None:
        """How the bot was addressed; None when it is not for us to hear."""
        if not heard.guild:
            return "direct"
        if settings["mode"] == "off":
            return None
        if heard.mentions_us:
            return "mention"
        if heard.replies_to_us:
            return "reply"
        if heard.to_others or not (heard.text or heard.files):
            return None
        if heard.ours:
            opened = await self.services.store.answer_to("discord", heard.parent, heard.channel)
            return "reply" if opened is not None and opened.person == heard.user else None
        if settings["mode"] != "sure" or (heard.forum and not heard.starts_post):
            return None
        if heard.forum and settings["tag"] and settings["tag"].lower() not in map(str.lower, heard.tags):
            return None
        return "overheard"

    async def hear(self, heard: Heard, work: Work) -> None:
        """A message, new or edited."""
        settings = await self.settings(heard)
        asked = await self.asked(heard, settings)
        if asked is None or heard.id in self.deleted:
            return
        if work.late:
            if asked != "overheard" and not heard.edited:
                await self._say(heard, notice(words(await self._language(heard))("late")), "inline", work)
            await work.done("late", at_leisure=True)
            return
        earlier = None
        if heard.edited:
            earlier = await self.services.store.answer_to("discord", heard.channel, heard.id)
            if earlier is None and asked != "mention":
                return
        if asked == "overheard" and earlier is None and not await self._may_speak(heard):
            return
        question = await self._question(heard, asked, work)
        if question is not None:
            await self._answer(heard, question, settings, earlier, work)

    async def _may_speak(self, heard: Heard) -> bool:
        """Unasked: once a thread, and not before others have written."""
        if heard.thread:
            return await self.services.store.answer_to("discord", heard.channel, SPOKEN) is None
        return self.cooldown.allows(heard.channel)

    async def _question(self, heard: Heard, asked: Asked, work: Work) -> Question | None:
        text = heard.text or heard.quoted
        if heard.starts_post and heard.title:
            text = f"{heard.title}\n{text}"
        attachments: list[str] = []
        for file in heard.files:
            try:
                attachments.append(await self.calls.read_file(file["url"], file["name"], file["size"]))
            except Unreadable as error:
                if asked != "overheard" and not text and not attachments:
                    say = words(await self._language(heard))
                    await self._say(heard, notice(say(error.word, limit=error.limit_kib)), "inline", work)
                    await work.done(at_leisure=True)
                    return None
        return Question(
            text=text,
            locale=heard.locale or None,
            platform="discord",
            user=heard.user,
            chat=heard.channel,
            asked=asked,
            attachments=tuple(attachments),
        )

    async def _language(self, heard: Heard) -> str:
        known = await self.services.store.known("discord", heard.channel, heard.user)
        return known.preferences.language or language_of(heard.locale)

    async def _answer(
        self, heard: Heard, question: Question, settings: dict[str, Any], earlier: GivenAnswer | None, work: Work
    ) -> None:
        places = (heard.guild, heard.parent)
        async with self.typing(heard, question.asked):
            given = await self.services.desk.answer(question, work, places=places, public=bool(heard.guild))
        if given.silent:
            return
        unasked = question.asked == "overheard" and earlier is None
        if unasked and not self.cooldown.is_new(heard.channel, given.reply.state or given.reply.title):
            return
        await self.answers.receipts.quiet()
        if earlier is not None:
            await self._change(heard, earlier, given.reply)
            await work.done(at_leisure=True)
            return
        if heard.id in self.deleted:
            return
        if unasked:
            self.cooldown.spoke(heard.channel)
            if heard.thread:
                work.add(self.services.store.answered("discord", heard.channel, SPOKEN, "", heard.id))
        made = self.answers.layout(given.reply, self._where(heard))
        await self._say(heard, made, settings["place"], work, given.reply)
        await work.done(at_leisure=True)
        if heard.id in self.deleted:
            await self.gone(heard.channel, heard.id)

    @staticmethod
    def _where(heard: Heard) -> Where:
        return "channel" if heard.guild else "direct"

    async def _say(self, heard: Heard, made: Layout, place: str, work: Work, reply: Reply | None = None) -> None:
        """Send it: as a reply, or in a thread on the question. However often this runs, the nonce makes it once."""
        body = made.body(base36(heard.user))
        try:
            thread = await self._thread(heard, reply) if place == "thread" and reply is not None else ""
            to = thread or heard.channel
            reply_to = "" if thread else heard.id
            try:
                said = await self.calls.send(to, body, nonce=heard.id, reply_to=reply_to, files=made.files)
            except Refused as error:
                if reply is None:
                    raise
                log.warning("discord.refused", detail=str(error))
                plain = classic(reply, self._where(heard))
                body = plain.body(base36(heard.user))
                said = await self.calls.send(to, body, nonce=heard.id, reply_to=reply_to, files=plain.files)
        except (Closed, Gone) as error:
            self._complain(heard, error)
            return
        extra = {"channel": thread} if thread else {}
        work.add(self.services.store.answered("discord", heard.channel, heard.id, heard.user, said, extra))

    async def _thread(self, heard: Heard, reply: Reply) -> str:
        """A thread on the question; "" where there can be none, or the question is in one."""
        if heard.thread or not heard.guild:
            return ""
        try:
            return await self.calls.thread(heard.channel, heard.id, thread_name(reply.title))
        except (Closed, Refused, Gone) as error:
            self._complain(heard, error)
            return ""

    def _complain(self, heard: Heard, error: Exception) -> None:
        """Say once a channel what is missing there; /whichgpu-setup says it to its admins."""
        if heard.channel not in self._complained:
            self._complained[heard.channel] = True
            log.warning("discord.closed", channel=heard.channel, guild=heard.guild, reason=str(error))

    async def _change(self, heard: Heard, earlier: GivenAnswer, reply: Reply) -> None:
        """The question was edited: so is its answer."""
        made = self.answers.layout(reply, self._where(heard))
        body = {"attachments": [], **made.body(base36(heard.user))}
        channel = str(earlier.extra.get("channel") or heard.channel)
        try:
            await self.calls.edit(channel, earlier.answer, body, made.files)
        except Gone:
            await self.services.store.drop_answer("discord", heard.channel, heard.id)
        except (Closed, Refused) as error:
            self._complain(heard, error)

    async def gone(self, channel: str, message: str) -> None:
        """The question was deleted: so is its answer."""
        earlier = await self.services.store.answer_to("discord", channel, message)
        if earlier is None:
            return
        with contextlib.suppress(Gone, Closed, Refused):
            await self.calls.delete(str(earlier.extra.get("channel") or channel), earlier.answer)
        await self.services.store.drop_answer("discord", channel, message)

    @asynccontextmanager
    async def typing(self, heard: Heard, asked: Asked) -> AsyncIterator[None]:
        """Show that we are at it when the answer takes longer than a moment."""
        if asked == "overheard":
            yield
            return

        async def show() -> None:
            with contextlib.suppress(Closed, Gone, Refused, RetryLater):
                await self.calls.typing(heard.channel)

        tasks: list[asyncio.Task[None]] = []
        timer = asyncio.get_running_loop().call_later(TYPING_AFTER, lambda: tasks.append(asyncio.create_task(show())))
        try:
            yield
        finally:
            timer.cancel()


def thread_name(title: str) -> str:
    """What a thread is called: the first clause of the answer, whole words."""
    clause = re.split(r"[:;.](?:\s|$)", title, maxsplit=1)[0].strip()
    return textwrap.shorten(clause, NAME_CHARS, placeholder="…") or "whichgpu"

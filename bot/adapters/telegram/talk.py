"""Messages: in private chats, groups and topics; new and edited."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import structlog
from telegram import Bot
from telegram.constants import ChatAction
from telegram.error import TelegramError

from advisor.query import Query
from bot import codec
from bot.adapters.base import Services, Work
from bot.adapters.telegram.answers import Answers, Ready
from bot.adapters.telegram.calls import Calls
from bot.adapters.telegram.commands import KIND_OF, NOT_QUESTIONS, Commands, start_text
from bot.adapters.telegram.files import Unreadable, read_document
from bot.adapters.telegram.keyboard import own_keys, unpack
from bot.adapters.telegram.letters import Place
from bot.adapters.telegram.updates import Incoming, without_mention
from bot.adapters.words import language_of, words
from bot.messages import Asked, Question

log = structlog.get_logger(__name__)
TYPING_AFTER = 0.8
"""Seconds after which a slow look-up shows that something is being done."""


class Talk:
    """Hears messages and answers those that are for the bot."""

    def __init__(self, services: Services, calls: Calls, bot: Bot) -> None:
        self.services = services
        self.calls = calls
        self.bot = bot
        self.answers = Answers(services, calls)
        self.commands = Commands(services, calls, bot)
        self._name = (bot.username or "").lower()

    async def hear(self, heard: Incoming, work: Work) -> None:
        """A message or an edited one."""
        if isinstance(work.kept, Ready):
            await self.answers.say(heard, self.place(heard), work.kept, work)
            return
        if heard.command and heard.command_for not in ("", self._name):
            return  # for another bot
        if not heard.text and heard.document is None:
            await self._wordless(heard)
            return
        asked = await self._asked(heard)
        if asked is None:
            return
        place = self.place(heard)
        if work.late:
            if asked != "overheard" and heard.happened == "message":
                await self.calls.notice(place, words(language_of(heard.locale))("late"))
            await work.done("late")
            return
        if heard.happened == "message" and await self.commands.run(heard, place, work):
            return
        if heard.happened == "edited" and heard.command in NOT_QUESTIONS:
            return
        question = await self._question(heard, asked, place)
        if question is not None:
            await self._answer(heard, question, work)

    async def _wordless(self, heard: Incoming) -> None:
        """Nothing to read. A sticker needs no answer; a screenshot wants one, but it must come as text."""
        if heard.moved_to:
            store = self.services.store
            await store.set_channel(
                "telegram", str(heard.moved_to), await store.channel("telegram", str(heard.chat_id))
            )
        elif heard.private and heard.unreadable and heard.happened == "message":
            await self.calls.notice(self.place(heard), words(language_of(heard.locale))("file_unreadable"))

    @staticmethod
    def place(heard: Incoming) -> Place:
        """Where the answer goes: in groups as a reply, in the topic of the question."""
        return Place(heard.chat_id, heard.thread_id, None if heard.private else heard.message_id)

    async def _asked(self, heard: Incoming) -> Asked | None:
        """How the bot was addressed; None when it is not for us to hear."""
        if heard.private:
            return "command" if heard.command else "direct"
        if heard.command:
            return "command"
        settings = await self.services.store.channel("telegram", str(heard.chat_id))
        mode = settings.get("mode", "mentions")
        if mode == "off":
            return None
        if heard.reply_to_user == self.bot.id:
            return "reply"
        if self._name in heard.mentions:
            return "mention"
        to_others = bool(heard.mentions) or bool(heard.reply_to_user)
        return "overheard" if mode == "sure" and not to_others else None

    async def _question(self, heard: Incoming, asked: Asked, place: Place) -> Question | None:
        """The question as text, with what came along; None when a notice was the answer."""
        text = start_text(heard.rest) if heard.command == "start" else heard.rest
        if self._name in heard.mentions:
            text = without_mention(text, self._name)
        if not text and asked in ("command", "mention") and heard.reply_to_user != self.bot.id:
            text = heard.reply_text  # "/whichgpu" or "@whichgpu_bot" as a reply to somebody's question
        attachments: tuple[str, ...] = ()
        if heard.document is not None:
            if asked == "overheard":
                return None
            try:
                attachments = (await read_document(self.bot, heard.document),)
            except Unreadable as error:
                say = words(language_of(heard.locale))
                await self.calls.notice(place, say(error.word, limit=error.limit_kib))
                return None
        options = {}
        if heard.command in KIND_OF:
            options["kind"] = KIND_OF[heard.command]
        if heard.command == "config":
            options["show"] = "config"
        return Question(
            text=text,
            locale=heard.locale,
            platform="telegram",
            user=str(heard.user_id),
            chat=str(heard.chat_id),
            asked=asked,
            options=options,
            change="show=config" if heard.command == "config" and not text else None,
            attachments=attachments,
        )

    async def _answer(self, heard: Incoming, question: Question, work: Work) -> None:
        earlier: tuple[int, ...] = ()
        if heard.happened == "edited":
            earlier = await self.answers.to(heard.chat_id, heard.message_id)
            if not earlier and question.asked == "overheard":
                return
        async with self.typing(heard):
            given = await self.services.desk.answer(
                question, work, previous=self._replied(heard), public=not heard.private
            )
        if given.silent:
            return
        extra = own_keys(given.reply, group=not heard.private)
        ready = Ready(given.reply, extra, heard.message_id, question.user, earlier)
        work.keep(ready)
        await self.answers.say(heard, self.place(heard), ready, work)

    def _replied(self, heard: Incoming) -> Query | None:
        """What the answer of ours was about that this message replies to, whoever had asked; None for any other."""
        answered = unpack(heard.reply_data) if heard.reply_to_user == self.bot.id else None
        return codec.unpack(answered.state) if answered and answered.state else None

    @asynccontextmanager
    async def typing(self, heard: Incoming) -> AsyncIterator[None]:
        """Show that we are at it when the answer takes longer than a moment."""

        tasks: list[asyncio.Task[None]] = []
        loop = asyncio.get_running_loop()
        timer = loop.call_later(TYPING_AFTER, lambda: tasks.append(loop.create_task(self._show_typing(heard))))
        try:
            yield
        finally:
            timer.cancel()
            for task in tasks:
                task.cancel()

    async def _show_typing(self, heard: Incoming) -> None:
        action: dict[str, Any] = {"chat_id": heard.chat_id, "action": ChatAction.TYPING}
        if heard.thread_id:
            action["message_thread_id"] = heard.thread_id
        try:
            await self.bot.send_chat_action(**action)
        except TelegramError as error:
            log.debug("telegram_courtesy_failed", error=type(error).__name__)

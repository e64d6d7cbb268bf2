"""Pressed buttons and reactions."""

from typing import Any

import structlog
from telegram import Bot

from bot import codec
from bot.adapters.base import Services, Work
from bot.adapters.pictures import picture_for
from bot.adapters.telegram.answers import Answers, Ready
from bot.adapters.telegram.calls import Calls
from bot.adapters.telegram.commands import LANGUAGE, MODE, Commands
from bot.adapters.telegram.keyboard import OPEN, Pressed, keyboard, own_keys, unpack
from bot.adapters.telegram.letters import Place, Target
from bot.adapters.telegram.updates import Incoming
from bot.adapters.words import Words, language_of, words
from bot.messages import Question

log = structlog.get_logger(__name__)
LIKES, DISLIKES = ("👍", "❤", "🔥", "👏", "🙏"), ("👎", "💩", "🤮")


class Presses:
    """A press is acknowledged at once, then acted upon: the message that holds the button becomes the new answer."""

    def __init__(self, services: Services, calls: Calls, bot: Bot) -> None:
        self.services = services
        self.calls = calls
        self.bot = bot
        self.commands = Commands(services, calls, bot)
        self.answers = Answers(services, calls)

    async def pressed(self, heard: Incoming, work: Work) -> None:
        """One press. A late one is only acknowledged: its message is still there, to be pressed again."""
        if isinstance(work.kept, Ready):
            await self.answers.say(heard, Place(heard.chat_id, heard.thread_id), work.kept, work)
            return
        pressed = unpack(heard.data)
        say = words(pressed.language if pressed else language_of(heard.locale))
        if pressed is None:
            await self._acknowledge(heard, say("expired"), alert=True)
        elif pressed.change.startswith((LANGUAGE, MODE)):
            await self._chosen(heard, pressed, say)
        elif pressed.change == "!del":
            await self._delete(heard, say)
        elif pressed.change in ("!up", "!down"):
            await self._acknowledge(heard, say("thanks"))
            await self._feedback(heard, pressed.change == "!up", str(heard.message_id), pressed.state)
        elif pressed.change == "show=picture":
            await self._acknowledge(heard)
            await self._picture(heard, pressed, work)
        else:
            await self._acknowledge(heard)
            if not work.late:
                await self._change(heard, pressed, work)

    async def _change(self, heard: Incoming, pressed: Pressed, work: Work) -> None:
        """The message becomes the answer to the changed query; a select only shows or hides what it offers."""
        select = pressed.change.startswith(OPEN)
        query = codec.unpack(pressed.state) if pressed.state else None
        question = Question(
            locale=heard.locale,
            language=pressed.language,
            platform="telegram",
            user=str(heard.user_id),
            chat=str(heard.chat_id or f"inline:{heard.user_id}"),
            asked="command",
            change="show=short" if select else pressed.change,
        )
        given = await self.services.desk.answer(question, work, previous=query, public=not heard.private)
        if given.silent:
            return
        extra = own_keys(given.reply, group=bool(heard.chat_id) and not heard.private, picture=bool(heard.chat_id))
        target = Target(heard.chat_id, heard.message_id, heard.inline_message_id)
        if select:
            rows = keyboard(given.reply, extra, opened=pressed.change.removeprefix(OPEN))
            await self.calls.edit_keyboard(target, rows)
        elif not heard.chat_id:
            await self.calls.edit(target, given.reply, words(given.reply.language)("more"), extra)
        else:
            ended = await self.answers.ending_with(heard)
            ready = Ready(given.reply, extra, ended.question, ended.person, ended.messages)
            work.keep(ready)
            await self.answers.say(heard, Place(heard.chat_id, heard.thread_id), ready, work)
        await work.done()

    async def _picture(self, heard: Incoming, pressed: Pressed, work: Work) -> None:
        """The memory bar, as a photo below the answer."""
        query = codec.unpack(pressed.state) if pressed.state else None
        if query is None or not heard.chat_id:
            return
        picture, reply = await picture_for(query, pressed.language)
        if picture is None:
            return
        place = Place(heard.chat_id, heard.thread_id, heard.message_id)
        async with self.services.turns("telegram"):
            await self.calls.send_picture(place, picture, reply)
            await work.done()

    async def _chosen(self, heard: Incoming, pressed: Pressed, say: Words) -> None:
        """A language for oneself, or when the bot speaks in a group: that an admin decides."""
        choice = pressed.change.partition("=")[2]
        if pressed.change.startswith(MODE) and not await self.commands.is_admin(heard):
            await self._acknowledge(heard, say("admins_only"), alert=True)
            return
        await self._acknowledge(heard)
        text = await (self.commands.set_mode if pressed.change.startswith(MODE) else self.commands.set_language)(
            heard, choice, say
        )
        await self.calls.edit_notice(Target(heard.chat_id, heard.message_id), text)

    async def _delete(self, heard: Incoming, say: Any) -> None:
        """The asker and admins may delete an answer."""
        allowed = heard.private or heard.reply_to_user == heard.user_id or await self.commands.is_admin(heard)
        if not allowed:
            await self._acknowledge(heard, say("not_yours"), alert=True)
            return
        await self._acknowledge(heard, say("deleted"))
        ended = await self.answers.ending_with(heard)
        await self.calls.delete(heard.chat_id, ended.messages)
        if ended.question:
            await self.services.store.drop_answer("telegram", str(heard.chat_id), str(ended.question))

    async def reacted(self, heard: Incoming, work: Work) -> None:
        """A reaction to one of our answers counts as feedback."""
        if heard.data not in LIKES + DISLIKES:
            return
        ours = await self.services.store.answer_to("telegram", str(heard.chat_id), f"a{heard.message_id}")
        if ours is not None:
            await self._feedback(heard, heard.data in LIKES, ours.answer, str(ours.extra.get("state") or ""))
            await work.done()

    async def _feedback(self, heard: Incoming, helpful: bool, answer: str, state: str) -> None:
        query = codec.unpack(state) if state else None
        key = f"{heard.chat_id}:{answer}"
        await self.services.store.feedback("telegram", str(heard.user_id), key, helpful, query)

    async def _acknowledge(self, heard: Incoming, text: str | None = None, *, alert: bool = False) -> None:
        """Stop the button's spinner; too late for that is no trouble."""
        await self.calls.quietly(lambda: self.bot.answer_callback_query(heard.query_id, text, show_alert=alert))

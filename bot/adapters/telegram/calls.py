"""Calls to the Bot API: what to do when it says no.

Every refusal has one answer here: too fast → later; rich messages unknown → text with entities; thread gone → without
it; a group that became a supergroup → there; blocked or kicked → nothing; nothing changed → fine; network → later.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, TypeVar

import structlog
from telegram import Bot, InputFile
from telegram.error import (
    BadRequest,
    ChatMigrated,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
)

from bot.adapters.telegram.formatting import Piece, caption
from bot.adapters.telegram.keyboard import Key
from bot.adapters.telegram.letters import Body, Extra, Letter, Part, Place, Target, dumps, letter, text_body
from bot.adapters.telegram.polling import seconds
from bot.adapters.telegram.transport import AiohttpRequest
from bot.messages import Picture, Reply
from bot.work import RetryLater

log = structlog.get_logger(__name__)

NETWORK_PAUSE = 1.0
T = TypeVar("T")
Became = Literal["done", "rest", "gone"]
"""Earlier messages became an answer; or they did, and the rest of it is still to be sent; or one of them is gone."""


@dataclass(slots=True)
class Progress:
    """How far an answer of several messages has got: after a pause it goes on there, and repeats nothing."""

    parts: int = 0
    messages: list[int] = field(default_factory=list)
    """The ids of its messages so far."""

    @property
    def said(self) -> int:
        """The id of the last one, 0 when there is none or the chat is closed to us."""
        return self.messages[-1] if self.messages else 0


class Calls:
    """Sends and edits replies with one bot. `rich`: whether this server takes rich messages, as far as known."""

    def __init__(
        self,
        bot: Bot,
        request: AiohttpRequest,
        *,
        rich: bool = True,
        rich_refused: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.bot = bot
        self.rich = rich
        self._request = request
        self._rich_refused = rich_refused

    def letter(self, reply: Reply, more_label: str, extra: Extra = ()) -> Letter:
        """The reply made ready, so that nothing but sending is left for later."""
        return letter(reply, more_label, extra, self.rich)

    async def send(
        self, place: Place, reply: Reply, more_label: str, extra: Extra = (), progress: Progress | None = None
    ) -> int:
        """Say it; the id of the (last) message, 0 when the chat is closed to us. Raises RetryLater."""
        going = progress or Progress()
        made = letter(reply, more_label, extra, self.rich and not going.parts)
        if made.rich is not None:
            sent = await self._try_rich("sendRichMessage", place.arguments(), made.rich)
            if sent is not None:
                going.messages.append(int(sent["message_id"]) if sent else 0)
                return going.said
            made = letter(reply, more_label, extra, False)
        for text in made.texts[going.parts :]:
            where = place if going.parts == 0 else Place(place.chat_id, place.thread_id)
            going.messages.append(await self._send_text(where, text))
            going.parts += 1
        return going.said

    async def become(
        self, chat: int, earlier: Sequence[int], reply: Reply, more_label: str, extra: Extra, progress: Progress
    ) -> Became:
        """Turn messages of ours into this reply, those that are too many deleted. May be done again after a crash: what
        is as wanted already is let be. After "rest", `send` with the same progress says what is left.
        """
        made = letter(reply, more_label, extra, self.rich and not progress.parts)
        if made.rich is not None:
            done = await self._try_rich("editMessageText", Target(chat, earlier[0]).arguments(), made.rich)
            if done is False:
                return "gone"
            if done is not None:
                progress.messages.append(earlier[0])
                await self.delete(chat, earlier[1:])
                return "done"
            made = letter(reply, more_label, extra, False)
        for message, text in zip(earlier[progress.parts :], made.texts[progress.parts :], strict=False):
            if not await self._edited(Target(chat, message), text):
                return "gone"
            progress.messages.append(message)
            progress.parts += 1
        await self.delete(chat, earlier[len(made.texts) :])
        return "done" if progress.parts == len(made.texts) else "rest"

    async def delete(self, chat: int, messages: Sequence[int]) -> None:
        """Messages of ours that are not wanted any more; one that is gone already is fine."""
        for message in messages:
            await self.quietly(partial(self._post, "deleteMessage", Target(chat, message).arguments()))

    async def edit(self, target: Target, reply: Reply, more_label: str, extra: Extra = ()) -> bool:
        """Change what we said; False when the message is gone. What does not fit one message is cut at a paragraph."""
        made = self.letter(reply, more_label, extra)
        if made.rich is not None:
            done = await self._try_rich("editMessageText", target.arguments(), made.rich)
            if done is not None:
                return bool(done)
            made = letter(reply, more_label, extra, False)
        if made.edited is None:
            return False
        return await self._edited(target, made.edited)

    async def _edited(self, target: Target, part: Part) -> bool:
        """Whether the message is as wanted now; False when it is gone."""
        return await self._guard(lambda: self._post("editMessageText", target.arguments(), part)) is not None

    async def edit_keyboard(self, target: Target, rows: list[list[Key]]) -> None:
        """Change the buttons only."""
        where = {**target.arguments(), "reply_markup": {"inline_keyboard": rows}}
        await self._guard(lambda: self._post("editMessageReplyMarkup", where))

    async def send_picture(self, place: Place, picture: Picture, reply: Reply) -> int:
        """A picture with the answer's first line under it."""
        under = caption(reply)
        body = {
            **place.arguments(),
            "photo": InputFile(picture.png, filename="whichgpu.png"),
            "caption": under.text or picture.alt[:1024],
            "caption_entities": dumps(under.entities),
        }
        sent = await self._guard(lambda: self.bot.do_api_request("sendPhoto", body))
        return int(sent["message_id"]) if sent else 0

    async def notice(self, place: Place, text: str, keys: Sequence[list[Key]] = ()) -> int:
        """A short word of our own, without markup; `keys` to choose by."""
        return await self._send_text(place, Part(_noticed(text, keys)))

    async def edit_notice(self, target: Target, text: str) -> None:
        """Something was chosen: the word that follows, without the keys."""
        await self._guard(lambda: self._post("editMessageText", target.arguments(), Part(_noticed(text))))

    async def quietly(self, call: Callable[[], Awaitable[T]]) -> T | None:
        """A courtesy (typing, a press acknowledged) that must not hold anything up."""
        try:
            return await call()
        except (BadRequest, Forbidden, NetworkError, RetryAfter, TimeoutError) as error:
            log.debug("telegram_courtesy_failed", error=type(error).__name__)
            return None

    async def _post(self, method: str, where: dict[str, Any], part: Part | None = None) -> Any:
        """One call of a method that may be newer than the library."""
        try:
            body = part.to(where) if part is not None else dumps(where).encode()
            return await self._request.post_json(f"{self.bot.base_url}/{method}", body)
        except ChatMigrated as error:  # the group has become a supergroup; its messages and topics stayed behind
            return await self._post(method, {"chat_id": error.new_chat_id}, part)
        except InvalidToken as error:
            if "unauthorized" in str(error).lower():
                raise
            raise EndPointNotFound(method) from error

    async def _try_rich(self, method: str, where: dict[str, Any], part: Part) -> Any:
        """The result; None when this server does not take the rich message, so that text is sent instead."""
        try:
            result = await self._guard(lambda: self._post(method, where, part), refusals=False)
        except (BadRequest, EndPointNotFound) as error:
            if _gone(error):
                return False
            if isinstance(error, EndPointNotFound) or "exactly one" in str(error) or "is required" in str(error):
                log.info("telegram_rich_unknown", method=method, error=str(error))
                self.rich = False
                if self._rich_refused is not None:
                    await self._rich_refused()
            else:
                log.warning("telegram_rich_refused", method=method, error=str(error))
            return None
        return False if result is None else result

    async def _send_text(self, place: Place, part: Part) -> int:
        async def plainly() -> Any:
            plain = Part({key: value for key, value in part.body.items() if key != "entities"})
            return await self._post("sendMessage", replace(place, thread_id=None).arguments(), plain)

        sent = await self._guard(lambda: self._post("sendMessage", place.arguments(), part), retry=plainly)
        return int(sent["message_id"]) if sent else 0

    async def _guard(
        self,
        call: Callable[[], Awaitable[Any]],
        *,
        retry: Callable[[], Awaitable[Any]] | None = None,
        refusals: bool = True,
    ) -> Any:
        """The call's result, None where the platform says no for good. Raises RetryLater where it says not now.
        A message that is as wanted already is a success.

        `retry` is a plainer call for what was refused; `refusals`=False lets a BadRequest through.
        """
        try:
            return await call()
        except RetryAfter as error:
            raise RetryLater(seconds(error)) from error
        except (Forbidden, InvalidToken) as error:
            if isinstance(error, InvalidToken):
                raise
            log.info("telegram_chat_closed", error=str(error))
            return None
        except BadRequest as error:
            if "not modified" in str(error):
                return True
            if not refusals:
                raise
            if retry is not None and not _gone(error):
                log.warning("telegram_refused", error=str(error))
                return await self._guard(retry)
            if not _gone(error):
                log.warning("telegram_refused", error=str(error))
            return None
        except (NetworkError, TimeoutError) as error:
            raise RetryLater(NETWORK_PAUSE) from error


def _noticed(text: str, keys: Sequence[list[Key]] = ()) -> Body:
    markup = {"reply_markup": {"inline_keyboard": list(keys)}} if keys else {}
    return {**text_body(Piece(text)), **markup}


def _gone(error: Exception) -> bool:
    """The message or chat is not there any more."""
    text = str(error).lower()
    return "chat not found" in text or ("not found" in text and ("edit" in text or "delete" in text))

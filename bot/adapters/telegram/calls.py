"""Calls to the Bot API: what to do when it says no.

Every refusal has one answer here: too fast → later; rich messages unknown → text with entities; thread gone → without
it; blocked or kicked → nothing; nothing changed → fine; network → again later.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import structlog
from telegram import Bot, InputFile, LinkPreviewOptions, MessageEntity, ReplyParameters
from telegram.error import BadRequest, EndPointNotFound, Forbidden, InvalidToken, NetworkError, RetryAfter

from bot.adapters.telegram.formatting import Piece, caption, pieces, rich_html, wants_rich
from bot.adapters.telegram.keyboard import keyboard
from bot.adapters.telegram.polling import seconds
from bot.inbox import RetryLater
from bot.messages import Picture, Reply

log = structlog.get_logger(__name__)

NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
NETWORK_PAUSE = 1.0
SHORT_WAIT = 1.5
"""Seconds that are waited in place; longer pauses go back to the inbox."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Place:
    """Where to say it: a chat, its topic, the message that is answered."""

    chat_id: int
    thread_id: int | None = None
    reply_to: int | None = None

    def arguments(self) -> dict[str, Any]:
        """The arguments that every send method shares."""
        found: dict[str, Any] = {"chat_id": self.chat_id}
        if self.thread_id:
            found["message_thread_id"] = self.thread_id
        if self.reply_to:
            found["reply_parameters"] = ReplyParameters(self.reply_to, allow_sending_without_reply=True)
        return found


@dataclass(frozen=True, slots=True)
class Target:
    """A message of ours to change: in a chat, or one that went through inline mode."""

    chat_id: int = 0
    message_id: int = 0
    inline_message_id: str = ""

    def arguments(self) -> dict[str, Any]:
        if self.inline_message_id:
            return {"inline_message_id": self.inline_message_id}
        return {"chat_id": self.chat_id, "message_id": self.message_id}


class Calls:
    """Sends and edits replies with one bot. `rich`: whether this server takes rich messages, as far as known."""

    def __init__(
        self, bot: Bot, *, rich: bool = True, rich_refused: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        self.bot = bot
        self.rich = rich
        self._rich_refused = rich_refused

    async def send(self, place: Place, reply: Reply, more_label: str, extra: tuple[tuple[str, str], ...] = ()) -> int:
        """Say it; the id of the (last) message, 0 when the chat is closed to us. Raises RetryLater."""
        markup = keyboard(reply, extra)
        source = self._source(reply, more_label)
        if source is not None:
            sent = await self._try_rich("sendRichMessage", {**place.arguments(), "reply_markup": markup}, source)
            if sent is not None:
                return int(sent["message_id"]) if sent else 0
        said = 0
        parts = pieces(reply)
        for index, piece in enumerate(parts):
            last = index == len(parts) - 1
            said = await self._send_piece(
                place if index == 0 else Place(place.chat_id, place.thread_id), piece, markup if last else None
            )
        return said

    async def edit(
        self, target: Target, reply: Reply, more_label: str, extra: tuple[tuple[str, str], ...] = ()
    ) -> bool:
        """Change what we said; False when the message is gone. What does not fit one message is cut at a paragraph."""
        markup = keyboard(reply, extra)
        source = self._source(reply, more_label)
        arguments = {**target.arguments(), "reply_markup": markup}
        if source is not None:
            done = await self._try_rich("editMessageText", arguments, source)
            if done is not None:
                return bool(done)
        parts = pieces(reply)
        if not parts:
            return False
        entities = [MessageEntity(**e) for e in parts[0].entities]
        edited = await self._guard(
            lambda: self.bot.edit_message_text(
                parts[0].text, entities=entities, link_preview_options=NO_PREVIEW, **arguments
            )
        )
        return edited is not None

    async def send_picture(self, place: Place, picture: Picture, reply: Reply) -> int:
        """A picture with the answer's first line under it."""
        under = caption(reply)
        file = InputFile(picture.png, filename="whichgpu.png")
        sent = await self._guard(
            lambda: self.bot.send_photo(
                photo=file,
                caption=under.text or picture.alt[:1024],
                caption_entities=[MessageEntity(**e) for e in under.entities],
                **place.arguments(),
            )
        )
        return sent.message_id if sent else 0

    async def notice(self, place: Place, text: str) -> int:
        """A short word of our own, without markup."""
        return await self._send_piece(place, Piece(text), None)

    async def quietly(self, call: Callable[[], Awaitable[T]]) -> T | None:
        """A courtesy (typing, a press acknowledged) that must not hold anything up."""
        try:
            return await call()
        except (BadRequest, Forbidden, NetworkError, RetryAfter, TimeoutError) as error:
            log.debug("telegram_courtesy_failed", error=type(error).__name__)
            return None

    def _source(self, reply: Reply, more_label: str) -> str | None:
        return rich_html(reply, more_label) if self.rich and wants_rich(reply) else None

    async def _try_rich(self, method: str, arguments: dict[str, Any], source: str) -> Any:
        """The result; None when this server does not take rich messages, so that text is sent instead."""
        given = {key: value for key, value in arguments.items() if value is not None}
        body = {**given, "rich_message": {"html": source, "skip_entity_detection": True}}
        try:
            result = await self._guard(lambda: self.bot.do_api_request(method, body), refusals=False)
        except (BadRequest, EndPointNotFound) as error:
            if _gone(error):
                return False
            log.info("telegram_rich_refused", method=method, error=str(error))
            self.rich = False
            if self._rich_refused is not None:
                await self._rich_refused()
            return None
        return False if result is None else result

    async def _send_piece(self, place: Place, piece: Piece, markup: Any) -> int:
        entities = [MessageEntity(**e) for e in piece.entities]
        sent = await self._guard(
            lambda: self.bot.send_message(
                text=piece.text,
                entities=entities,
                reply_markup=markup,
                link_preview_options=NO_PREVIEW,
                **place.arguments(),
            ),
            retry=lambda: self.bot.send_message(
                text=piece.text,
                reply_markup=markup,
                link_preview_options=NO_PREVIEW,
                **Place(place.chat_id, None, place.reply_to).arguments(),
            ),
        )
        return sent.message_id if sent else 0

    async def _guard(
        self,
        call: Callable[[], Awaitable[T]],
        *,
        retry: Callable[[], Awaitable[T]] | None = None,
        refusals: bool = True,
    ) -> T | None:
        """The call's result, None where the platform says no for good. Raises RetryLater where it says not now.

        `retry` is a plainer call for what was refused; `refusals`=False lets a BadRequest through.
        """
        try:
            return await call()
        except RetryAfter as error:
            wait = seconds(error)
            if wait > SHORT_WAIT:
                raise RetryLater(wait) from error
            await asyncio.sleep(wait)
            return await self._guard(call, retry=retry, refusals=refusals)
        except (Forbidden, InvalidToken) as error:
            if isinstance(error, InvalidToken):
                raise
            log.info("telegram_chat_closed", error=str(error))
            return None
        except BadRequest as error:
            if not refusals:
                if "not modified" in str(error):
                    return None
                raise
            if retry is not None and not _gone(error):
                log.warning("telegram_refused", error=str(error))
                return await self._guard(retry)
            if "not modified" not in str(error) and not _gone(error):
                log.warning("telegram_refused", error=str(error))
            return None
        except (NetworkError, TimeoutError) as error:
            raise RetryLater(NETWORK_PAUSE) from error


def _gone(error: Exception) -> bool:
    """The message or chat is not there any more."""
    text = str(error).lower()
    return "chat not found" in text or ("not found" in text and ("edit" in text or "delete" in text))

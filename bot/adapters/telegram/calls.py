"""Calls to the Bot API: what to do when it says no.

Every refusal has one answer here: too fast → later; rich messages unknown → text with entities; thread gone → without
it; blocked or kicked → nothing; nothing changed → fine; network → again later.
Requests are prepared as JSON once per reply and sent raw: the library's classes for messages, keyboards and entities
cost more than the answer itself.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

import structlog
from telegram import Bot, InputFile
from telegram.error import BadRequest, EndPointNotFound, Forbidden, InvalidToken, NetworkError, RetryAfter

from bot.adapters.telegram.formatting import Piece, caption, pieces, rich_html, wants_rich
from bot.adapters.telegram.keyboard import keyboard
from bot.adapters.telegram.polling import seconds
from bot.messages import Picture, Reply
from bot.work import RetryLater

log = structlog.get_logger(__name__)

NO_PREVIEW = '{"is_disabled":true}'
NETWORK_PAUSE = 1.0
SHORT_WAIT = 1.5
"""Seconds that are waited in place; longer pauses go back to the inbox."""
PREPARED = 256
"""Replies whose requests are kept: communities repeat themselves, and a retry sends the same."""
T = TypeVar("T")
Extra = tuple[tuple[str, str], ...]
Body = dict[str, Any]


def dumps(value: Any) -> str:
    """JSON as short as it gets."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Place:
    """Where to say it: a chat, its topic, the message that is answered."""

    chat_id: int
    thread_id: int | None = None
    reply_to: int | None = None

    def arguments(self) -> Body:
        """The arguments that every send method shares."""
        found: Body = {"chat_id": self.chat_id}
        if self.thread_id:
            found["message_thread_id"] = self.thread_id
        if self.reply_to:
            found["reply_parameters"] = dumps({"message_id": self.reply_to, "allow_sending_without_reply": True})
        return found


@dataclass(frozen=True, slots=True)
class Target:
    """A message of ours to change: in a chat, or one that went through inline mode."""

    chat_id: int = 0
    message_id: int = 0
    inline_message_id: str = ""

    def arguments(self) -> Body:
        """The arguments that every edit method shares."""
        if self.inline_message_id:
            return {"inline_message_id": self.inline_message_id}
        return {"chat_id": self.chat_id, "message_id": self.message_id}


@lru_cache(PREPARED)
def rich_body(reply: Reply, more_label: str, extra: Extra) -> Body | None:
    """The reply as one rich message; None where plain text says the same, or it is too long."""
    source = rich_html(reply, more_label) if wants_rich(reply) else None
    if source is None:
        return None
    return {"rich_message": dumps({"html": source, "skip_entity_detection": True}), **_markup(reply, extra)}


@lru_cache(PREPARED)
def text_bodies(reply: Reply, extra: Extra) -> tuple[Body, ...]:
    """The reply as messages of text with entities; the keyboard is under the last one."""
    bodies = [text_body(piece) for piece in pieces(reply)]
    if bodies:
        bodies[-1].update(_markup(reply, extra))
    return tuple(bodies)


def text_body(piece: Piece) -> Body:
    """One message of text."""
    body: Body = {"text": piece.text, "link_preview_options": NO_PREVIEW}
    if piece.entities:
        body["entities"] = dumps(piece.entities)
    return body


def _markup(reply: Reply, extra: Extra) -> Body:
    rows = keyboard(reply, extra)
    return {"reply_markup": dumps({"inline_keyboard": rows})} if rows else {}


class Calls:
    """Sends and edits replies with one bot. `rich`: whether this server takes rich messages, as far as known."""

    def __init__(
        self, bot: Bot, *, rich: bool = True, rich_refused: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        self.bot = bot
        self.rich = rich
        self._rich_refused = rich_refused

    def prepare(self, reply: Reply, more_label: str, extra: Extra = ()) -> None:
        """Make the requests now, so that nothing but sending is left for later."""
        if not (self.rich and rich_body(reply, more_label, extra)):
            text_bodies(reply, extra)

    async def send(self, place: Place, reply: Reply, more_label: str, extra: Extra = ()) -> int:
        """Say it; the id of the (last) message, 0 when the chat is closed to us. Raises RetryLater."""
        body = rich_body(reply, more_label, extra) if self.rich else None
        if body is not None:
            sent = await self._try_rich("sendRichMessage", {**place.arguments(), **body})
            if sent is not None:
                return int(sent["message_id"]) if sent else 0
        said = 0
        for index, text in enumerate(text_bodies(reply, extra)):
            where = place if index == 0 else Place(place.chat_id, place.thread_id)
            said = await self._send_text(where, text)
        return said

    async def edit(self, target: Target, reply: Reply, more_label: str, extra: Extra = ()) -> bool:
        """Change what we said; False when the message is gone. What does not fit one message is cut at a paragraph."""
        body = rich_body(reply, more_label, extra) if self.rich else None
        if body is not None:
            done = await self._try_rich("editMessageText", {**target.arguments(), **body})
            if done is not None:
                return bool(done)
        texts = text_bodies(reply, extra)
        if not texts:
            return False
        changed = {**target.arguments(), **texts[0], **_markup(reply, extra)}
        return await self._guard(lambda: self.bot.do_api_request("editMessageText", changed)) is not None

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

    async def notice(self, place: Place, text: str) -> int:
        """A short word of our own, without markup."""
        return await self._send_text(place, text_body(Piece(text)))

    async def quietly(self, call: Callable[[], Awaitable[T]]) -> T | None:
        """A courtesy (typing, a press acknowledged) that must not hold anything up."""
        try:
            return await call()
        except (BadRequest, Forbidden, NetworkError, RetryAfter, TimeoutError) as error:
            log.debug("telegram_courtesy_failed", error=type(error).__name__)
            return None

    async def _try_rich(self, method: str, body: Body) -> Any:
        """The result; None when this server does not take the rich message, so that text is sent instead."""
        try:
            result = await self._guard(lambda: self.bot.do_api_request(method, body), refusals=False)
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

    async def _send_text(self, place: Place, body: Body) -> int:
        plain = {key: value for key, value in body.items() if key != "entities"}
        nowhere = Place(place.chat_id, None, place.reply_to)
        sent = await self._guard(
            lambda: self.bot.do_api_request("sendMessage", {**place.arguments(), **body}),
            retry=lambda: self.bot.do_api_request("sendMessage", {**nowhere.arguments(), **plain}),
        )
        return int(sent["message_id"]) if sent else 0

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

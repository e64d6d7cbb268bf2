"""What is to be said, as the JSON that goes over the wire, and where.

Made once per reply, before it is its turn: the library's classes for messages, keyboards and entities cost more than
the answer itself, and while one answer is being sent the others wait.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bot.adapters.telegram.formatting import Piece, pieces, rich_html, wants_rich
from bot.adapters.telegram.keyboard import keyboard
from bot.messages import Reply

PREPARED = 256
"""Replies whose letters are kept: communities repeat themselves."""
Extra = tuple[tuple[str, str], ...]
Body = dict[str, Any]


def dumps(value: Any) -> str:
    """JSON as short as it gets."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Part:
    """One message's content, serialised when it is made."""

    __slots__ = ("_tail", "body")

    def __init__(self, body: Body) -> None:
        self.body = body
        self._tail = dumps(body).encode("utf-8", "replace")[1:]

    def to(self, where: Body) -> bytes:
        """The request: the content with its address before it."""
        return dumps(where).encode()[:-1] + b"," + self._tail


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
            found["reply_parameters"] = {"message_id": self.reply_to, "allow_sending_without_reply": True}
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


@dataclass(frozen=True, slots=True)
class Letter:
    """A reply ready to be sent: as one rich message where the server takes them and it needs one, else as texts."""

    rich: Part | None
    texts: tuple[Part, ...]
    edited: Part | None
    """The one text that an earlier message becomes: the first, with the buttons."""


@lru_cache(PREPARED)
def letter(reply: Reply, more_label: str, extra: Extra, rich: bool) -> Letter:
    """The reply for a server that takes rich messages, or for one that does not."""
    source = rich_html(reply, more_label) if rich and wants_rich(reply) else None
    markup = _markup(reply, extra)
    if source is not None:
        made = Part({"rich_message": {"html": source, "skip_entity_detection": True}, **markup})
        return Letter(made, (), None)
    bodies = [text_body(piece) for piece in pieces(reply)]
    if not bodies:
        return Letter(None, (), None)
    edited = Part({**bodies[0], **markup})
    if len(bodies) == 1:
        return Letter(None, (edited,), edited)
    return Letter(None, tuple(Part(body) for body in (*bodies[:-1], {**bodies[-1], **markup})), edited)


def text_body(piece: Piece) -> Body:
    """One message of text."""
    body: Body = {"text": piece.text, "link_preview_options": {"is_disabled": True}}
    if piece.entities:
        body["entities"] = list(piece.entities)
    return body


def _markup(reply: Reply, extra: Extra) -> Body:
    rows = keyboard(reply, extra)
    return {"reply_markup": {"inline_keyboard": rows}} if rows else {}

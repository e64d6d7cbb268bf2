"""A raw update (JSON as the Bot API sends it) → what happened, in our own words. Pure; nothing is trusted.

Read from the raw JSON and not through the library's classes, so that an update that is newer than the library, or
broken, costs one row in the inbox and never the batch it came in.
"""

import re
from dataclasses import dataclass
from typing import Any, Literal

Happened = Literal["message", "edited", "pressed", "inline", "guest", "reaction", "other"]
KINDS: dict[str, Happened] = {
    "message": "message",
    "edited_message": "edited",
    "callback_query": "pressed",
    "inline_query": "inline",
    "guest_message": "guest",
    "message_reaction": "reaction",
    "my_chat_member": "other",
}
"""The kinds of update that we ask Telegram for."""

UNREADABLE = ("photo", "video", "video_note", "voice", "audio")
COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]{3,32}))?(?=\s|$)")


class Malformed(ValueError):
    """An update that cannot be what the Bot API describes: set aside, never tried again."""


@dataclass(frozen=True, slots=True)
class Attached:
    """A document that came with a message."""

    file_id: str
    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Incoming:
    """One thing that happened. Ids are 0 or empty where there is none."""

    happened: Happened
    user_id: int = 0
    user_is_bot: bool = False
    anonymous: bool = False
    """An admin who writes as the group itself."""
    locale: str | None = None
    chat_id: int = 0
    private: bool = False
    thread_id: int | None = None
    """The topic to answer in; None for General, which has no id."""
    message_id: int = 0
    inline_message_id: str = ""
    text: str = ""
    command: str = ""
    """The command's name in small letters, when the text starts with one."""
    command_for: str = ""
    """The bot that the command names after @, in small letters."""
    rest: str = ""
    """The text after the command, or all of it."""
    mentions: tuple[str, ...] = ()
    """The @names in the text, in small letters without @."""
    reply_to: int = 0
    reply_to_user: int = 0
    reply_text: str = ""
    """What was said in the message that this one replies to."""
    reply_data: str = ""
    """callback_data of that message's first button: the query that it answered travels in it."""
    document: Attached | None = None
    unreadable: bool = False
    """A picture, a film or a voice came: we read none of them."""
    moved_to: int = 0
    """The supergroup that this group has become."""
    query_id: str = ""
    data: str = ""
    """callback_data of a press, or the new emoji of a reaction."""
    date: int = 0

    @property
    def conversation(self) -> str:
        """Keeps the messages of one chat in order, and conversations apart."""
        return str(self.chat_id or self.user_id)


def read_update(update: dict[str, Any]) -> Incoming:
    """What happened. Raises Malformed for an update that cannot be read."""
    try:
        for kind, happened in KINDS.items():
            body = update.get(kind)
            if body is not None:
                return _READERS[happened](happened, body)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Malformed(f"{type(error).__name__} in update {update.get('update_id')}") from error
    return Incoming("other")


def lane(update: dict[str, Any]) -> str:
    """What keeps two updates in order: their chat, or their user; total, so that any JSON has one."""
    for body in update.values():
        if isinstance(body, dict):
            inner = body.get("message")
            holder = body.get("chat") or (inner.get("chat") if isinstance(inner, dict) else None) or body.get("from")
            if isinstance(holder, dict) and isinstance(holder.get("id"), int):
                return str(holder["id"])
    return ""


def without_mention(text: str, name: str) -> str:
    """The text without @name, whatever its case."""
    at = text.lower().find("@" + name)
    return (text[:at] + text[at + len(name) + 1 :]).strip() if at >= 0 else text


def _message(happened: Happened, body: dict[str, Any]) -> Incoming:
    chat, sender = body["chat"], body.get("from") or {}
    text = str(body.get("text") or body.get("caption") or "")
    found = COMMAND.match(text)
    reply = body.get("reply_to_message") or {}
    document = body.get("document")
    anonymous = (body.get("sender_chat") or {}).get("id") == chat["id"]
    return Incoming(
        happened=happened,
        user_id=int(sender.get("id", 0)),
        user_is_bot=bool(sender.get("is_bot")) and not anonymous,
        anonymous=anonymous,
        locale=sender.get("language_code"),
        chat_id=int(chat["id"]),
        private=chat["type"] == "private",
        thread_id=_topic(body),
        message_id=int(body["message_id"]),
        text=text,
        command=found[1].lower() if found else "",
        command_for=(found[2] or "").lower() if found else "",
        rest=text[found.end() :].strip() if found else text,
        mentions=tuple(name.lower() for name in _mentions(text, body.get("entities") or body.get("caption_entities"))),
        reply_to=int(reply.get("message_id", 0)),
        reply_to_user=int((reply.get("from") or {}).get("id", 0)),
        reply_text=str(reply.get("text") or reply.get("caption") or ""),
        reply_data=_first_data(reply.get("reply_markup") or {}),
        document=_document(document) if document else None,
        unreadable=any(body.get(kind) for kind in UNREADABLE),
        moved_to=int(body.get("migrate_to_chat_id") or 0),
        query_id=str(body.get("guest_query_id") or ""),
        date=int(body.get("edit_date") or body["date"]),
    )


def _topic(body: dict[str, Any]) -> int | None:
    """The topic of a message; General has none, and a thread of replies is none."""
    topic = body.get("message_thread_id") if body.get("is_topic_message") else None
    return int(topic) if topic else None


def _first_data(markup: dict[str, Any]) -> str:
    keys = [key for row in markup.get("inline_keyboard") or () for key in row]
    return next((str(key["callback_data"]) for key in keys if key.get("callback_data")), "")


def _document(body: dict[str, Any]) -> Attached:
    return Attached(str(body["file_id"]), str(body.get("file_name") or ""), int(body.get("file_size") or 0))


def _mentions(text: str, entities: list[dict[str, Any]] | None) -> list[str]:
    """The names that Telegram marked as mentions; its offsets count UTF-16 units."""
    marked = [e for e in entities or () if e.get("type") == "mention"]
    if not marked:
        return []
    units = text.encode("utf-16-le")
    return [
        units[2 * e["offset"] : 2 * (e["offset"] + e["length"])].decode("utf-16-le", "ignore").lstrip("@")
        for e in marked
    ]


def _pressed(happened: Happened, body: dict[str, Any]) -> Incoming:
    sender, message = body["from"], body.get("message") or {}
    chat = message.get("chat") or {}
    return Incoming(
        happened=happened,
        user_id=int(sender["id"]),
        locale=sender.get("language_code"),
        chat_id=int(chat.get("id", 0)),
        private=chat.get("type") == "private",
        thread_id=_topic(message),
        message_id=int(message.get("message_id", 0)),
        inline_message_id=str(body.get("inline_message_id") or ""),
        reply_to=int((message.get("reply_to_message") or {}).get("message_id", 0)),
        reply_to_user=int(((message.get("reply_to_message") or {}).get("from") or {}).get("id", 0)),
        query_id=str(body["id"]),
        data=str(body.get("data") or ""),
    )


def _inline(happened: Happened, body: dict[str, Any]) -> Incoming:
    sender = body["from"]
    return Incoming(
        happened=happened,
        user_id=int(sender["id"]),
        locale=sender.get("language_code"),
        query_id=str(body["id"]),
        text=str(body.get("query") or ""),
        rest=str(body.get("query") or ""),
    )


def _reaction(happened: Happened, body: dict[str, Any]) -> Incoming:
    added = [r.get("emoji", "") for r in body.get("new_reaction") or () if r.get("type") == "emoji"]
    return Incoming(
        happened=happened,
        user_id=int((body.get("user") or {}).get("id", 0)),
        chat_id=int(body["chat"]["id"]),
        message_id=int(body["message_id"]),
        data=added[-1] if added else "",
    )


def _other(happened: Happened, body: dict[str, Any]) -> Incoming:
    return Incoming(happened, chat_id=int(body["chat"]["id"]), user_id=int((body.get("from") or {}).get("id", 0)))


_READERS = {
    "message": _message,
    "edited": _message,
    "guest": _message,
    "pressed": _pressed,
    "inline": _inline,
    "reaction": _reaction,
    "other": _other,
}

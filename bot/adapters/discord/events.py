"""Raw gateway payloads → what happened, in our own words. Pure; nothing is trusted.

Read from the JSON and not through the library's objects: an event that is newer than the library, or broken, costs
nobody but itself, what waits in the inbox is the same after a restart, and it takes a fraction of the time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

Kind = Literal["slash", "menu", "press", "form"]
EPOCH_MS = 1_420_070_400_000
THREADS = (10, 11, 12)
EPHEMERAL = 1 << 6
SHARE = "!share"
"""The change of the button that shows everybody what only its presser sees."""
MANAGE_MESSAGES = 1 << 13
MANAGE_GUILD = 1 << 5
ADMINISTRATOR = 1 << 3
FIELD_CHARS = 12_000
"""A text field holds 4000 characters, a message that a menu was used on 4000; the rest of what comes in is ours."""
ATTACHMENTS = 3


class Malformed(ValueError):
    """A payload that cannot be what Discord describes: set aside."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What goes through the inbox: every field is JSON."""

    def as_json(self) -> dict[str, Any]:
        """All fields by name."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> Self:
        """What `as_json` gave; fields of another version are left out. Raises Malformed."""
        try:
            return cls(**{name: data[name] for name in cls.__dataclass_fields__ if name in data})
        except TypeError as error:
            raise Malformed(str(error)) from error


@dataclass(frozen=True, slots=True)
class Used(Kept):
    """An interaction: somebody ran a command, pressed or chose something, or sent a form."""

    id: str
    token: str
    app: str
    kind: Kind
    name: str
    """The command, or the custom id of what was pressed or sent."""
    user: str
    locale: str = ""
    channel: str = ""
    guild: str = ""
    parent: str = ""
    """The thread's channel, or the channel's category."""
    private: bool = False
    """A direct message with the bot."""
    thread: bool = False
    ours: bool = False
    """A thread that the bot made."""
    values: dict[str, str] = field(default_factory=dict)
    """Options of a command, fields of a form, what was chosen in a select (as "0")."""
    text: str = ""
    """The message that a menu was used on."""
    files: list[dict[str, Any]] = field(default_factory=list)
    message: str = ""
    """The message that holds what was pressed."""
    shown: list[dict[str, Any]] = field(default_factory=list)
    """Its components, for sharing."""
    message_ephemeral: bool = False
    may_delete: bool = False
    may_manage: bool = False
    bot_may: int = 0
    """The bot's permissions in the channel."""
    deferred: bool = False
    """It was acknowledged when it came in."""

    @property
    def ephemeral(self) -> bool:
        """In servers only the asker sees the answer, unless the place is for the bot's answers anyway."""
        return not (self.private or self.ours)


@dataclass(frozen=True, slots=True)
class Heard(Kept):
    """A message, new or edited."""

    id: str
    channel: str
    user: str
    guild: str = ""
    text: str = ""
    edited: bool = False
    mentions_us: bool = False
    replies_to_us: bool = False
    to_others: bool = False
    """It mentions or replies to somebody else."""
    quoted: str = ""
    """What stands in the message that it replies to, as far as the bot may read it."""
    files: list[dict[str, Any]] = field(default_factory=list)
    parent: str = ""
    """The thread's channel, or the channel's category."""
    thread: bool = False
    ours: bool = False
    """A thread that the bot made."""
    forum: bool = False
    locale: str = ""
    """The server's language."""
    title: str = ""
    """The title of a forum post."""
    tags: list[str] = field(default_factory=list)

    @property
    def starts_post(self) -> bool:
        """It opens a forum post: that has the id of its first message."""
        return self.forum and self.id == self.channel


@dataclass(frozen=True, slots=True)
class Typing:
    """Somebody types into an option that is completed."""

    id: str
    token: str
    command: str
    option: str
    text: str
    locale: str
    values: dict[str, str]


def seconds_of(snowflake: str) -> float:
    """When an id was made, Unix seconds."""
    return ((int(snowflake) >> 22) + EPOCH_MS) / 1000


def read_used(raw: dict[str, Any], me: str) -> Used:
    """An interaction of type 2, 3 or 5; `me` is the bot's own id. Raises Malformed."""
    try:
        return _used(raw, me)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Malformed(f"{type(error).__name__} in an interaction") from error


def _used(raw: dict[str, Any], me: str) -> Used:
    data, channel, message = raw["data"], raw.get("channel") or {}, raw.get("message") or {}
    member = raw.get("member") or {}
    user = member.get("user") or raw["user"]
    may = int(member.get("permissions") or 0)
    name = str(data.get("custom_id") or data["name"])
    thread = channel.get("type") in THREADS
    kind: Kind = "slash" if raw["type"] == 2 else "press" if raw["type"] == 3 else "form"
    if kind == "slash" and data.get("type", 1) != 1:
        kind = "menu"
    target = _target(data) if kind == "menu" else {}
    return Used(
        id=str(int(raw["id"])),
        token=str(raw["token"]),
        app=str(int(raw["application_id"])),
        kind=kind,
        name=name[:100],
        user=str(int(user["id"])),
        locale=str(raw.get("locale") or raw.get("guild_locale") or ""),
        channel=str(raw.get("channel_id") or channel.get("id") or user["id"]),
        guild=str(raw.get("guild_id") or ""),
        parent=str(channel.get("parent_id") or ""),
        private=raw.get("context") == 1 or (raw.get("context") is None and not raw.get("guild_id")),
        thread=thread,
        ours=thread and str(channel.get("owner_id")) == me,
        values=_values(kind, data),
        text=str(target.get("content") or "")[:FIELD_CHARS],
        files=_files(target.get("attachments")) or _uploaded(data),
        message=str(message.get("id") or ""),
        shown=list(message.get("components") or []) if name.endswith(SHARE) else [],
        message_ephemeral=bool(int(message.get("flags") or 0) & EPHEMERAL),
        may_delete=bool(may & (MANAGE_MESSAGES | ADMINISTRATOR)),
        may_manage=bool(may & (MANAGE_GUILD | ADMINISTRATOR)),
        bot_may=int(raw.get("app_permissions") or 0),
    )


def _values(kind: Kind, data: dict[str, Any]) -> dict[str, str]:
    if kind == "slash":
        return {str(o["name"]): str(o["value"])[:FIELD_CHARS] for o in data.get("options") or () if "value" in o}
    if kind == "press":
        return {"0": str(data["values"][0])} if data.get("values") else {}
    found: dict[str, str] = {}
    if kind == "form":
        for row in data.get("components") or ():
            for part in [row.get("component"), *(row.get("components") or ())]:
                if part and isinstance(part.get("value"), str):
                    found[str(part["custom_id"])] = part["value"][:FIELD_CHARS]
    return found


def _target(data: dict[str, Any]) -> dict[str, Any]:
    messages = (data.get("resolved") or {}).get("messages") or {}
    found = messages.get(str(data.get("target_id"))) or {}
    return found if isinstance(found, dict) else {}


def _uploaded(data: dict[str, Any]) -> list[dict[str, Any]]:
    return _files(list(((data.get("resolved") or {}).get("attachments") or {}).values()))


def _files(attachments: list[dict[str, Any]] | None) -> list[dict[str, Any]]:
    return [
        {"url": str(a["url"]), "name": str(a.get("filename") or ""), "size": int(a.get("size") or 0)}
        for a in (attachments or ())[:ATTACHMENTS]
    ]


def read_typing(raw: dict[str, Any]) -> Typing:
    """An interaction of type 4. Raises Malformed."""
    try:
        data = raw["data"]
        options = data.get("options") or []
        focused = next(o for o in options if o.get("focused"))
        return Typing(
            id=str(int(raw["id"])),
            token=str(raw["token"]),
            command=str(data["name"]),
            option=str(focused["name"]),
            text=str(focused.get("value") or "")[:200],
            locale=str(raw.get("locale") or raw.get("guild_locale") or ""),
            values={str(o["name"]): str(o.get("value") or "")[:200] for o in options},
        )
    except (KeyError, TypeError, ValueError, AttributeError, StopIteration) as error:
        raise Malformed(f"{type(error).__name__} in an autocomplete") from error


def read_message(raw: dict[str, Any], me: str) -> Heard | None:
    """A message as the gateway or the history sends it; None for what no person wrote. Raises Malformed."""
    try:
        author = raw.get("author") or {}
        if not author or author.get("bot") or raw.get("webhook_id") or raw.get("type", 0) not in (0, 19):
            return None
        mentioned = {str(user["id"]) for user in raw.get("mentions") or ()}
        quoted = raw.get("referenced_message") or {}
        replied = str((quoted.get("author") or {}).get("id") or "")
        text = str(raw.get("content") or "")
        ours = me in mentioned and (f"<@{me}>" in text or f"<@!{me}>" in text)
        others = (mentioned | ({replied} if replied else set())) - {me, str(author["id"])}
        return Heard(
            id=str(int(raw["id"])),
            channel=str(int(raw["channel_id"])),
            user=str(int(author["id"])),
            guild=str(raw.get("guild_id") or ""),
            text=_without(text, me)[:FIELD_CHARS],
            edited=bool(raw.get("edited_timestamp")),
            mentions_us=ours or (me in mentioned and replied != me),
            replies_to_us=replied == me,
            to_others=bool(others or raw.get("mention_roles") or raw.get("mention_everyone")),
            quoted="" if replied == me else str(quoted.get("content") or "")[:FIELD_CHARS],
            files=_files(raw.get("attachments")),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Malformed(f"{type(error).__name__} in a message") from error


def _without(text: str, me: str) -> str:
    """The text without mentions of the bot."""
    if me in text:
        text = text.replace(f"<@{me}>", " ").replace(f"<@!{me}>", " ")
    return text.strip()

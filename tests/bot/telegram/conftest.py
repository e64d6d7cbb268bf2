"""Telegram without Telegram: the adapter's own parts, a real store, and a server that notes what it is asked."""

import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest_asyncio
from telegram import Bot

from bot.adapters.base import Services
from bot.adapters.telegram.calls import Calls
from bot.adapters.telegram.presses import Presses
from bot.adapters.telegram.talk import Talk
from bot.adapters.telegram.transport import AiohttpRequest
from bot.adapters.telegram.updates import read_update
from bot.desk import Desk
from bot.guard import Guard
from bot.inbox import Inbox
from bot.settings import Settings
from bot.store import Store
from bot.turns import Turns
from bot.work import Event, Work

BOT_ID = 99


class Server(AiohttpRequest):
    """Notes each call; `says` are its answers in turn, an exception is raised, then it is content."""

    def __init__(self, *says: Any) -> None:
        super().__init__(1)
        self.says = list(says)
        self.got: list[tuple[str, dict[str, Any]]] = []

    async def post_json(self, url: str, body: bytes) -> Any:
        self.got.append((url.rpartition("/")[2], json.loads(body)))
        answer = self.says.pop(0) if self.says else {"message_id": 100 + len(self.got)}
        if isinstance(answer, Exception):
            raise answer
        return answer


def calls_to(server: AiohttpRequest, **options: Any) -> Calls:
    return Calls(Bot("1:a", base_url="http://localhost/bot", request=server), server, **options)


class FakeBot:
    """What talk and presses ask of the library's bot. `admins` may decide for groups."""

    id = BOT_ID
    username = "whichgpu_bot"

    def __init__(self) -> None:
        self.admins: set[int] = set()
        self.alerts: list[str | None] = []
        self.files: dict[str, bytes] = {}

    async def get_chat_member(self, chat: int, user: int) -> Any:
        return SimpleNamespace(status="administrator" if user in self.admins else "member")

    async def get_file(self, file_id: str) -> Any:
        async def download_as_bytearray() -> bytearray:
            return bytearray(self.files[file_id])

        return SimpleNamespace(download_as_bytearray=download_as_bytearray)

    async def answer_callback_query(self, query_id: str, text: str | None = None, show_alert: bool = False) -> bool:
        self.alerts.append(text)
        return True


class World:
    """`say` and `press` are what people do; `server.got` is what the bot did."""

    def __init__(self, store: Store) -> None:
        self.store, self.server, self.bot = store, Server(), FakeBot()
        guard = Guard(per_user=1_000, per_chat=1_000)
        self.inbox = Inbox(store)
        desk = Desk(store, guard, None)
        self.services = Services(Settings(), store, self.inbox, desk, Turns())
        self.calls = calls = calls_to(self.server, rich=False)
        self.talk = Talk(self.services, calls, self.bot)  # type: ignore[arg-type]
        self.presses = Presses(self.services, calls, self.bot)  # type: ignore[arg-type]
        self.event: Event | None = None
        self.gone: list[int] = []

    async def say(
        self, text: str = "", *, user: int = 7, group: bool = False, kind: str = "message", **more: Any
    ) -> Any:
        """A message; what was sent in answer, the last of it."""
        chat = {"id": -100, "type": "supergroup"} if group else {"id": user, "type": "private"}
        sender = {"id": user, "is_bot": False, "first_name": "A"}
        body = {"message_id": 3, "from": sender, "chat": chat, "date": int(time.time()), "text": text, **more}
        self.event = Event(
            "telegram", str(time.monotonic()), str(chat["id"]), {"message": body}, time.time(), str(user)
        )
        return await self.again()

    async def again(self) -> Any:
        """The same event once more, as the inbox would after a pause."""
        assert self.event is not None
        before = len(self.server.got)
        await self.talk.hear(read_update(self.event.payload), self._work(self.event))
        return self.server.got[-1] if len(self.server.got) > before else None

    async def press(
        self, data: str, *, user: int = 7, group: bool = False, on: int = 50, asker: int | None = None
    ) -> Any:
        """A press on one of the bot's messages, which may be a reply to somebody's."""
        chat = {"id": -100, "type": "supergroup"} if group else {"id": user, "type": "private"}
        message: dict[str, Any] = {"message_id": on, "chat": chat, "date": 1}
        if asker is not None:
            message["reply_to_message"] = {"message_id": 3, "from": {"id": asker}}
        body = {"id": "1", "from": {"id": user, "is_bot": False}, "message": message, "data": data}
        event = Event("telegram", str(time.monotonic()), str(chat["id"]), {"callback_query": body}, time.time())
        before = len(self.server.got)
        await self.presses.pressed(read_update(event.payload), self._work(event))
        return self.server.got[-1] if len(self.server.got) > before else None

    def _work(self, event: Event) -> Work:
        return Work(self.inbox, event, late=False, again=False)


@pytest_asyncio.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'whichgpu.db'}")
    yield World(store)
    await store.close()

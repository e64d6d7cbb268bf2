"""The whole bot against SimCord: discord.py itself, our adapter, inbox, store and desk; only Discord is simulated."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio

from bot import pipeline
from bot.adapters.base import Services
from bot.adapters.discord import DiscordAdapter, answers, receipts
from bot.desk import Desk
from bot.guard import Guard
from bot.inbox import Inbox
from bot.settings import Settings
from bot.store import Store, writer
from bot.turns import Turns


@pytest.fixture(scope="session", autouse=True)
def warm() -> None:
    """As a process that serves does it: the first answer loads the catalog."""
    pipeline.warm()


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine is no late answer; SimCord has a clock of its own. What may wait a moment does not wait."""
    for module in (answers, receipts):
        monkeypatch.setattr(module, "TOO_LATE", 60.0)
    submit = writer.Writer.submit
    monkeypatch.setattr(writer.Writer, "submit", lambda self, parts, *, keep=False, **_: submit(self, parts, keep=keep))


PATIENCE = 150
"""Hundredths of a second that the inbox may take."""


class Running:
    """One bot: adapter, inbox and store. SimCord starts and stops the client."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.folder = folder
        given = {"discord_shards": 1, **settings}
        self.settings = Settings(discord_token="test", state_dir=folder, hub="off", **given)
        self.fetching = False
        self.waits = True
        """SimCord's actors wait for the inbox; not where an answer takes its time on purpose."""
        self.store: Store
        self.inbox: Inbox
        self.adapter: DiscordAdapter

    async def start(self) -> discord.Client:
        """A new process, so to speak: nothing is kept but the database."""
        self.store = await Store.open(self.settings.database)
        self.inbox = Inbox(self.store, late_after=1e9)  # SimCord's ids are of another year
        guard = Guard(per_user=600, per_chat=600)
        services = Services(self.settings, self.store, self.inbox, Desk(self.store, guard, None), Turns())
        self.adapter = DiscordAdapter(services)
        self._watch_fetching()
        self.inbox.start({"discord": self.adapter})
        while self.inbox._more or self.fetching:  # noqa: ASYNC110 - then events are handed over directly, within SimCord's clock
            await asyncio.sleep(0.01)
        await self.adapter.receiver.seen.load()
        return self.adapter.make_client()

    def _watch_fetching(self) -> None:
        fetch = self.inbox.claims.fetch

        async def watched(*args: Any, **kwargs: Any) -> Any:
            self.fetching = True
            try:
                return await fetch(*args, **kwargs)
            finally:
                self.fetching = False

        self.inbox.claims.fetch = watched  # type: ignore[method-assign]

    @property
    def busy(self) -> bool:
        """Something is being taken in or answered."""
        adapter = self.adapter
        looking = self.inbox._more or self.fetching
        return bool(looking or self.inbox.busy or adapter.receipts.under_way or adapter.receiver.busy)

    async def stop(self) -> None:
        """SIGTERM."""
        await self.inbox.stop(2)
        await self.adapter.receiver.close()
        await self.store.close()


@pytest_asyncio.fixture
async def running(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Running]:
    """The bot of this test; `@pytest.mark.parametrize("running", [{...}], indirect=True)` gives it other settings."""
    made = Running(tmp_path, **getattr(request, "param", {}))
    yield made
    await made.stop()


@pytest_asyncio.fixture
async def simcord_bot(running: Running) -> discord.Client:
    return await running.start()


@pytest_asyncio.fixture
async def simcord_env(simcord_env: Any, running: Running) -> Any:
    """SimCord, made to wait for the database's thread too: by itself it knows of the event loop only."""
    settle = simcord_env._settle_internal

    async def and_the_inbox(*args: Any, **kwargs: Any) -> None:
        await settle(*args, **kwargs)
        for _ in range(PATIENCE):
            if not (running.waits and running.busy):
                break
            await asyncio.sleep(0.01)
            await settle(*args, **kwargs)

    simcord_env._settle_internal = and_the_inbox
    return simcord_env


@pytest.fixture
def place(simcord_env: Any) -> tuple[Any, Any, Any, Any]:
    """A server with a channel and two people: (server, channel, ann, bob)."""
    guild = simcord_env.create_guild()
    channel = guild.create_text_channel("help")
    return guild, channel, *(guild.add_member(simcord_env.create_user(name)) for name in ("ann", "bob"))


def parts_of(message: Any) -> list[dict[str, Any]]:
    """Every component of a message, nested ones included."""

    def walk(components: list[Any]) -> list[dict[str, Any]]:
        found = []
        for part in components:
            found += [part, *walk(part.get("components") or [])]
        return found

    return walk([part if isinstance(part, dict) else part.to_dict() for part in message.components])


def text_of(message: Any) -> str:
    """All that a message says, in whichever form."""
    said = [part["content"] for part in parts_of(message) if part.get("type") == 10]
    return "\n".join([message.content, *(embed.description or "" for embed in message.embeds), *said])


def control(message: Any, ending: str) -> str:
    """The custom id of the button or select that ends so."""
    ids = [str(part["custom_id"]) for part in parts_of(message) if part.get("custom_id")]
    return next(custom_id for custom_id in ids if custom_id.endswith(ending))


def has_control(message: Any, ending: str) -> bool:
    """Whether there is such a button or select."""
    return any(str(part.get("custom_id") or "").endswith(ending) for part in parts_of(message))


def answers_in(channel: Any) -> list[Any]:
    """What bots said in a channel, oldest first."""
    return sorted((m for m in channel.history() if m.author.bot and not m.is_system()), key=lambda m: m.id)


def kinds_of_answers(env: Any) -> list[int]:
    """The kinds of the first answers to interactions, as they were sent."""
    return [r.json["type"] for r in env.http_requests if r.method == "POST" and r.path.endswith("/callback") and r.json]

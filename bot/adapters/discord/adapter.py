"""Discord: a supervised connection; interactions and messages go through the inbox and are answered from there."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import discord
import structlog

from bot import metrics
from bot.adapters.base import Adapter, Event, PlatformGone, RetryLater, Services, StoreUnavailable, Work
from bot.adapters.discord.answers import Answers
from bot.adapters.discord.asks import Asks
from bot.adapters.discord.calls import CHOICES, MODAL, Acknowledged, Calls, Gone, Over, Refused
from bot.adapters.discord.client import Gateway, close
from bot.adapters.discord.commands import commands, digest
from bot.adapters.discord.events import Heard, Malformed, Used
from bot.adapters.discord.presses import plan
from bot.adapters.discord.receipts import Receipts
from bot.adapters.discord.receiver import Receiver
from bot.adapters.discord.setup import Setup
from bot.adapters.discord.talk import Talk

log = structlog.get_logger(__name__)
PAUSES = (0.3, 120.0)
"""First and longest pause before a new client: Discord allows 1000 sessions a day."""
STEADY_SECONDS = 60.0
LEASE = "discord gateway"
LEASE_SECONDS = 30.0
BAD_SHARDS = (4010, 4011)
BAD_TOKEN = 4004


class DiscordAdapter(Adapter):
    """One bot account; see bot.adapters.base for what an adapter does."""

    name = "discord"
    concurrency = 6

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.client: Gateway | None = None
        self.calls = Calls()
        direct = min(self.concurrency, services.settings.workers)
        self.receipts = Receipts(services, self.calls, plan, direct)
        self.answers = Answers(self.calls, self.receipts)
        self.talk = Talk(services, self.calls, self.answers)
        self.asks = Asks(services, self.calls, self.answers, Setup(services, self.channel))
        self.receiver = Receiver(self)

    def channel(self, channel: str) -> Any:
        """The library's channel or thread; None when it is not known, as in direct messages."""
        return self.client.get_channel(int(channel)) if self.client is not None and channel.isdigit() else None

    async def run(self) -> None:
        """Connect and receive until cancelled; a client that ends is followed by a new one.

        Raises PlatformGone for what only the operator can mend.
        """
        await self.receiver.seen.load()
        pause = PAUSES[0]
        while True:
            begun = time.monotonic()
            client = self.make_client()
            try:
                await self._serve(client)
                self.trouble = "the connection ended"
            except asyncio.CancelledError:
                raise  # answers that were begun still need the client: `close` closes it
            except Exception as error:
                await close(client)
                self._give_up_for(error)
                self.trouble = type(error).__name__
                log.warning("discord.client_ended", error=type(error).__name__, detail=str(error)[:200])
            else:
                await close(client)
            self.receiver.disconnected_all()
            pause = PAUSES[0] if time.monotonic() - begun > STEADY_SECONDS else pause
            metrics.RESTARTS.labels(self.name).inc()
            await asyncio.sleep(pause)
            pause = min(PAUSES[1], pause * 2)

    async def _serve(self, client: Gateway) -> None:
        """Log in, wait for our turn, be on the gateway until that ends or the turn is another process's."""
        token = self.services.settings.discord_token
        assert token is not None
        await client.login(token.get_secret_value())
        async with self.turn() as lost:
            connected = asyncio.create_task(client.connect(reconnect=True))
            try:
                await asyncio.wait({connected, lost}, return_when=asyncio.FIRST_COMPLETED)
                if connected.done():
                    connected.result()
            finally:
                connected.cancel()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator["asyncio.Task[None]"]:
        """With PostgreSQL several processes may run: one is on the gateway, all answer what it commits; unless each has
        shards of its own. Yields a task that ends when the turn is lost."""
        store, owner = self.services.store, self.services.inbox.claims.owner
        shared = not store.alone and not self.services.settings.discord_shard_ids
        while shared and not await store.leases.take(LEASE, owner, LEASE_SECONDS):
            self.ready = True  # it answers what the other one commits
            await asyncio.sleep(LEASE_SECONDS / 6)

        async def keep() -> None:
            while True:
                await asyncio.sleep(LEASE_SECONDS / 3)
                with suppress(StoreUnavailable):  # nobody can take it from us while the database is away
                    if shared and not await store.leases.take(LEASE, owner, LEASE_SECONDS):
                        return

        keeper = asyncio.create_task(keep())
        try:
            yield keeper
        finally:
            keeper.cancel()
            if shared:
                with suppress(StoreUnavailable):
                    await store.leases.give_up(LEASE, owner)

    def make_client(self) -> Gateway:
        """A client that is not connected yet."""
        self.client = Gateway(self.services.settings, self.receiver, self._set_up)
        return self.client

    async def _set_up(self) -> None:
        assert self.client is not None
        self.calls.bind(self.client)
        await self._publish_commands()

    def _give_up_for(self, error: Exception) -> None:
        """Raise PlatformGone for what will not be better next time."""
        code = error.code if isinstance(error, discord.ConnectionClosed) else 0
        if isinstance(error, discord.LoginFailure) or code == BAD_TOKEN:
            raise PlatformGone(
                "Discord does not accept the token",
                "copy it again from discord.com/developers (Bot, Reset Token) into WHICHGPU_DISCORD_TOKEN and restart",
            ) from error
        if isinstance(error, discord.PrivilegedIntentsRequired):
            raise PlatformGone(
                "Discord does not give this bot the message content intent",
                "switch it on at discord.com/developers (Bot, Privileged Gateway Intents), "
                "or unset WHICHGPU_DISCORD_MESSAGE_CONTENT",
            ) from error
        if code in BAD_SHARDS:
            raise PlatformGone(
                "Discord does not accept this number of shards",
                "unset WHICHGPU_DISCORD_SHARDS to take Discord's advice, or raise it",
            ) from error

    async def _publish_commands(self) -> None:
        """Register the commands, globally, when they changed since the last time."""
        assert self.client is not None
        application = self.client.application_id
        assert application is not None
        payload = commands()
        now, store = digest(application, payload), self.services.store
        try:
            if await store.note("discord:commands") == now:
                return
            await self.client.http.bulk_upsert_global_commands(application, payload)
            await store.set_note("discord:commands", now)
        except (discord.HTTPException, StoreUnavailable) as error:
            log.warning("discord.commands_not_set", error=type(error).__name__, detail=str(error)[:300])

    async def handle(self, event: Event, work: Work) -> None:
        """Answer one event; one that cannot be read is set aside."""
        try:
            what = event.payload.get("what")
            if what == "used":
                await self._used(event, Used.of_json(event.payload), work)
            elif what == "heard":
                await self.talk.hear(Heard.of_json(event.payload), work)
            elif what == "gone":
                await self.talk.gone(str(event.payload["channel"]), str(event.payload["id"]))
            await work.done("silent", at_leisure=True)
        except (Malformed, KeyError) as error:
            metrics.SET_ASIDE.labels(self.name).inc()
            log.warning("discord.malformed", detail=str(error))
            await work.done("set_aside", at_leisure=True)

    async def _used(self, event: Event, used: Used, work: Work) -> None:
        try:
            await self.asks.answer(event, used, work)
        except RetryLater:
            raise
        except BaseException:
            self.receipts.forget(used.id)
            raise
        self.receipts.forget(used.id)

    async def complete(self, interaction: str, token: str, choices: list[dict[str, Any]]) -> None:
        """Answer somebody who types; too late is no trouble."""
        await self._courtesy(interaction, token, CHOICES, {"choices": choices})

    async def open_form(self, interaction: str, token: str, form: dict[str, Any]) -> None:
        """Show a form."""
        await self._courtesy(interaction, token, MODAL, form)

    async def _courtesy(self, interaction: str, token: str, kind: int, data: dict[str, Any]) -> None:
        try:
            await self.calls.respond(interaction, token, kind, data)
        except (Over, Acknowledged, Gone, Refused, RetryLater) as error:
            log.debug("discord.courtesy_failed", kind=kind, error=type(error).__name__)

    async def close(self) -> None:
        """Close the connection; what was seen last is written down."""
        await self.receiver.close()
        if self.client is not None:
            await close(self.client)

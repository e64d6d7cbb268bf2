"""The connection: discord.py's sharded client, with what one bad event or one bad moment does to it kept apart.

The library keeps guilds and channels; no members, no messages, no views. Messages and interactions are read from their
raw payloads (bot.adapters.discord.events).
"""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol
from urllib.request import getproxies

import discord
import structlog
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot import metrics
from bot.settings import Settings

log = structlog.get_logger(__name__)
OFFICIAL = "https://discord.com/api/v10"
READY_SECONDS = 1.0
"""How long the library waits for one more guild before it says that it is ready."""
LONGEST_LIMIT = 30.0
"""A rate limit that lasts longer goes back to the inbox."""
VITAL = ("READY", "RESUMED")
"""Without these there is no session: a fault in them ends the client, and a new one is made."""

Parser = Callable[[Any], None]


class Listener(Protocol):
    """Who wants to know. All are called on the event loop and must not wait."""

    def connected(self, shard: int) -> None: ...
    def disconnected(self, shard: int) -> None: ...
    def caught_up(self, shard: int) -> None: ...
    def before_ready(self, shard: int) -> None: ...
    def interaction(self, raw: dict[str, Any]) -> None: ...
    def message(self, raw: dict[str, Any]) -> None: ...
    def edited(self, raw: dict[str, Any]) -> None: ...
    def deleted(self, channel: str, messages: list[str]) -> None: ...


class Gateway(discord.AutoShardedClient):
    """One client; `start` ends when it cannot go on, and then a new one is made."""

    def __init__(self, settings: Settings, listener: Listener, set_up: Callable[[], Any]) -> None:
        intents = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
        intents.message_content = settings.discord_message_content
        point_at(settings)
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nobody speaks here
        shard_ids: Any = list(settings.discord_shard_ids) or None
        super().__init__(
            intents=intents,
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            shard_count=settings.discord_shards,
            shard_ids=shard_ids,
            guild_ready_timeout=READY_SECONDS,
            max_ratelimit_timeout=LONGEST_LIMIT,
            proxy=None if settings.discord_api_url != OFFICIAL else getproxies().get("https"),
        )
        self.listener = listener
        self._set_up = set_up
        self._read_ourselves()

    async def setup_hook(self) -> None:
        """Once per client, before it connects."""
        await self._set_up()

    def _read_ourselves(self) -> None:
        """Put our readers in the place of the library's, and a wall around each of the others."""
        parsers: dict[str, Parser] = self._connection.parsers
        ours: dict[str, Parser] = {
            "INTERACTION_CREATE": self.listener.interaction,
            "MESSAGE_CREATE": self.listener.message,
            "MESSAGE_UPDATE": self.listener.edited,
            "MESSAGE_DELETE": lambda raw: self.listener.deleted(str(raw["channel_id"]), [str(raw["id"])]),
            "MESSAGE_DELETE_BULK": lambda raw: self.listener.deleted(
                str(raw["channel_id"]), [str(message) for message in raw["ids"]]
            ),
        }
        for event, parser in parsers.items():
            if event not in VITAL:
                parsers[event] = _walled(event, ours.get(event, parser))
        library = parsers["READY"]

        def ready(raw: Any) -> None:
            self.listener.before_ready(int((raw.get("shard") or [0])[0]))
            library(raw)

        parsers["READY"] = ready

    async def on_shard_connect(self, shard_id: int) -> None:
        self.listener.connected(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        self.listener.connected(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        self.listener.disconnected(shard_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        self.listener.caught_up(shard_id)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """What went wrong in one of the methods above."""
        log.exception("discord.listener_failed", where=event_method)


def _walled(event: str, parser: Parser) -> Parser:
    """A parser whose fault costs one event, never the client."""

    def parse(raw: Any) -> None:
        try:
            parser(raw)
        except Exception as error:
            metrics.SET_ASIDE.labels("discord").inc()
            log.warning("discord.malformed", event_type=event, error=type(error).__name__, detail=str(error)[:200])

    return parse


def point_at(settings: Settings) -> None:
    """Send the library to another API or gateway than Discord's own, where the settings say so."""
    if settings.discord_api_url != OFFICIAL:
        Route.BASE = settings.discord_api_url
    if settings.discord_gateway_url:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.discord_gateway_url)


async def close(client: discord.Client) -> None:
    """Close whatever is left of a client; it may be in any state."""
    try:
        await asyncio.wait_for(client.close(), 5)
    except Exception as error:
        log.debug("discord.not_closed", error=type(error).__name__)

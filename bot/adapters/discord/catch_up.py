"""What was written while nobody listened: read from the history after a restart or a session that was lost.

Only mentions, replies and direct messages are answered late; what was answered already is known to the inbox.
"""

import json
import time
from typing import TYPE_CHECKING, Any

import discord
import structlog

from bot.adapters.base import RetryLater, StoreUnavailable
from bot.adapters.discord.calls import Closed, Gone, Refused
from bot.adapters.discord.events import read_message, seconds_of
from bot.store import Store

if TYPE_CHECKING:
    from bot.adapters.discord.adapter import DiscordAdapter
    from bot.adapters.discord.receiver import Receiver

log = structlog.get_logger(__name__)
NOTE = "discord:seen"
SAVE_SECONDS = 3.0
CHANNELS = 100
"""So many channels at most are read again, those with the latest messages first."""
PRIVATE = 20
"""So many private chats are remembered: Discord does not list them."""
MESSAGES = 100


class Seen:
    """The last message that came in, kept on disk at most every SAVE_SECONDS; and the private chats of late.

    After a kill the note is a little old: what is read twice then, the inbox knows.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.last = 0
        self.private: dict[str, int] = {}
        self._saved = 0
        self._saved_at = 0.0

    async def load(self) -> None:
        """What an earlier process saw last."""
        if self.last:
            return
        try:
            note = json.loads(await self.store.note(NOTE) or "{}")
            self.last = self._saved = int(note.get("last") or 0)
            self.private = {str(chat): int(seen) for chat, seen in (note.get("private") or {}).items()}
        except (StoreUnavailable, ValueError, TypeError, AttributeError) as error:
            log.warning("discord.seen_unknown", error=type(error).__name__)

    def saw(self, message: str, channel: str, *, private: bool) -> bool:
        """A message came in; True when it is time to `save`."""
        number = int(message)
        self.last = max(self.last, number)
        if private:
            self.private.pop(channel, None)
            self.private[channel] = number
            while len(self.private) > PRIVATE:
                self.private.pop(next(iter(self.private)))
        return time.monotonic() - self._saved_at > SAVE_SECONDS

    async def save(self) -> None:
        """Write it down."""
        self._saved_at, now = time.monotonic(), self.last
        if now == self._saved:
            return
        try:
            await self.store.set_note(NOTE, json.dumps({"last": now, "private": self.private}))
            self._saved = now
        except StoreUnavailable:
            log.warning("discord.seen_not_saved")


class CatchUp:
    """Reads what was missed."""

    def __init__(self, adapter: "DiscordAdapter", receiver: "Receiver") -> None:
        self.adapter = adapter
        self.receiver = receiver
        self._after: dict[int, int] = {}
        """Per shard: the last message seen when its session began."""

    def note(self, shard: int) -> None:
        """A session begins."""
        self._after[shard] = self.receiver.seen.last

    async def run(self, shard: int) -> None:
        """Read the shard's channels that have messages later than the last one seen."""
        after, client = self._after.pop(shard, None), self.adapter.client
        if after is None or client is None:
            return
        places = [place for guild in client.guilds if guild.shard_id == shard for place in _places(guild)]
        if not after:  # the very first start: nobody expects answers to what was before
            latest = max((place.last_message_id or 0 for place in places), default=0)
            if latest:
                self.receiver.seen.saw(str(latest), "", private=False)
                await self.receiver.seen.save()
            return
        missed = [place for place in places if (place.last_message_id or 0) > after]
        missed.sort(key=lambda place: -place.last_message_id)
        chats = [(str(place.id), str(place.guild.id)) for place in missed[:CHANNELS] if _may_read(place)]
        if shard == 0:
            chats += [(chat, "") for chat in self.receiver.seen.private]
        found = 0
        for chat, guild in chats:
            found += await self._read(chat, guild, after)
        if found:
            log.info("discord.caught_up", shard=shard, places=len(chats), messages=found)

    async def _read(self, chat: str, guild: str, after: int) -> int:
        """One place's messages to the inbox, those that are for us; how many."""
        try:
            messages = await self.adapter.calls.history(chat, str(after), MESSAGES)
        except (Closed, Gone, Refused, RetryLater) as error:
            log.debug("discord.history_closed", error=type(error).__name__)
            return 0
        me = str(self.adapter.client.user.id) if self.adapter.client and self.adapter.client.user else ""
        oldest, found = time.time() - self.adapter.services.inbox.late_after, 0
        for raw in messages:
            sent = seconds_of(str(raw["id"]))
            heard = read_message({**raw, "guild_id": guild}, me)
            addressed = heard is not None and (not guild or heard.mentions_us or heard.replies_to_us)
            if sent < oldest or not addressed:
                continue
            self.receiver.message({**raw, "guild_id": guild or None, "channel_id": raw.get("channel_id") or chat})
            found += 1
        return found


def _places(guild: discord.Guild) -> list[Any]:
    """What has messages of its own."""
    return [*guild.text_channels, *guild.voice_channels, *guild.threads]


def _may_read(place: Any) -> bool:
    me = place.guild.me
    if me is None:
        return True
    try:
        may = place.permissions_for(me)
    except discord.ClientException:  # a thread whose channel is not known
        return True
    return bool(may.view_channel and may.read_message_history)

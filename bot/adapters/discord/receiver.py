"""What the gateway says, sorted: to the inbox, answered at once, or none of our business."""

import asyncio
import time
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

import discord
import structlog

from bot import metrics, suggest
from bot.adapters.base import Event, StoreUnavailable
from bot.adapters.discord.catch_up import CatchUp, Seen
from bot.adapters.discord.events import Heard, Typing, Used, read_message, read_typing, read_used
from bot.adapters.discord.form import oom_form
from bot.adapters.words import language_of

if TYPE_CHECKING:
    from bot.adapters.discord.adapter import DiscordAdapter

log = structlog.get_logger(__name__)
AUTOCOMPLETE = 4
STORE_PAUSE = 1.0
STORE_TRIES = 20


class Receiver:
    """The listener of the connection."""

    def __init__(self, adapter: "DiscordAdapter") -> None:
        self.adapter = adapter
        self.services = adapter.services
        self.seen = Seen(adapter.services.store)
        self.catch_up = CatchUp(adapter, self)
        self._shards: set[int] = set()
        self._tasks: set[asyncio.Task[Any]] = set()

    # The connection

    def connected(self, shard: int) -> None:
        """A shard is there."""
        self._shards.add(shard)
        self._say_how_it_is()

    def disconnected(self, shard: int) -> None:
        """A shard is away."""
        self._shards.discard(shard)
        self._say_how_it_is()

    def disconnected_all(self) -> None:
        """The client has ended."""
        self._shards.clear()
        self._say_how_it_is()

    def _say_how_it_is(self) -> None:
        adapter = self.adapter
        adapter.ready = bool(self._shards)
        metrics.CONNECTED.labels(adapter.name).set(float(adapter.ready))
        wanted = (adapter.client.shard_count if adapter.client else None) or 1
        wanted = len(self.services.settings.discord_shard_ids) or wanted
        if len(self._shards) < wanted:
            adapter.trouble = f"no connection to Discord on {wanted - len(self._shards)} of {wanted} shards"
        else:
            adapter.trouble = ""

    def before_ready(self, shard: int) -> None:
        """A new session begins: what came before it may have been missed."""
        self.catch_up.note(shard)

    def caught_up(self, shard: int) -> None:
        """The library knows the shard's servers."""
        self.spawn(self.catch_up.run(shard))

    @property
    def busy(self) -> int:
        """Things under way beside the inbox."""
        return len(self._tasks)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run something beside."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("discord.task_failed", error=repr(task.exception()))

    # Interactions

    def interaction(self, raw: dict[str, Any]) -> None:
        """Commands and presses to the inbox; completions and forms at once: they are worth nothing later."""
        if raw["type"] == AUTOCOMPLETE:
            self._complete(read_typing(raw))
            return
        if raw["type"] not in (2, 3, 5):
            return
        used = read_used(raw, self._me)
        if used.kind == "slash" and used.name == "oom" and not used.values and not used.files:
            self.spawn(self.adapter.open_form(used.id, used.token, oom_form(language_of(used.locale))))
            return
        self.adapter.receipts.take(used, as_event(used))

    def _complete(self, typing: Typing) -> None:
        language = language_of(typing.locale)
        match typing.option:
            case "model":
                found = suggest.models(typing.text)
            case "gpu" | "other":
                found = suggest.cards(typing.text)
            case "topic":
                found = suggest.topics(typing.text, language)
            case _:
                found = suggest.questions(typing.text, language)
        choices = [{"name": choice.name, "value": choice.value} for choice in found]
        self.spawn(self.adapter.complete(typing.id, typing.token, choices))

    # Messages

    def message(self, raw: dict[str, Any]) -> None:
        """A new message, or one from the history."""
        heard = read_message(raw, self._me)
        if self.seen.saw(str(raw["id"]), str(raw["channel_id"]), private=heard is not None and not heard.guild):
            self.spawn(self.seen.save())
        if heard is None:
            return
        if not heard.guild or heard.mentions_us or heard.replies_to_us:
            self.spawn(self._put(self._placed(heard)))
        elif heard.text or heard.files:
            self.spawn(self._overhear(self._placed(heard)))

    def edited(self, raw: dict[str, Any]) -> None:
        """A message was changed; the library's own changes, such as a link's preview, come without a time."""
        if not raw.get("edited_timestamp") or not raw.get("author"):
            return
        heard = read_message(raw, self._me)
        if heard is None or not (heard.text or heard.files):
            return
        if not heard.guild or heard.mentions_us or heard.replies_to_us:
            self.spawn(self._put(self._placed(heard), str(raw["edited_timestamp"])))
        else:
            self.spawn(self._overhear(self._placed(heard), str(raw["edited_timestamp"])))

    def deleted(self, channel: str, messages: list[str]) -> None:
        """Messages were deleted."""
        for message in messages:
            self.adapter.talk.deleted[message] = True
            self.spawn(self._put_deleted(channel, message))

    @property
    def _me(self) -> str:
        client = self.adapter.client
        return str(client.user.id) if client is not None and client.user is not None else ""

    def _placed(self, heard: Heard) -> Heard:
        """The message with what is known of the place that it is in."""
        place = self.adapter.channel(heard.channel) if heard.guild else None
        if place is None:
            return heard
        facts = heard.as_json() | {"locale": str(place.guild.preferred_locale)}
        if isinstance(place, discord.Thread):
            parent = place.parent
            facts |= {"thread": True, "parent": str(place.parent_id), "ours": str(place.owner_id) == self._me}
            if isinstance(parent, discord.ForumChannel):
                facts |= {"forum": True, "title": place.name, "tags": [tag.name for tag in place.applied_tags]}
        else:
            facts["parent"] = str(getattr(place, "category_id", None) or "")
        return Heard.of_json(facts)

    async def _overhear(self, heard: Heard, change: str = "") -> None:
        """To the inbox, if the admins of the channel want to hear from us unasked, or it is our own thread."""
        settings = await self.adapter.talk.settings(heard)
        if settings["mode"] == "sure" and not change:
            self.adapter.talk.cooldown.heard(heard.channel)
        if await self.adapter.talk.asked(heard, settings) is not None:
            await self._put(heard, change)

    async def _put(self, heard: Heard, change: str = "") -> None:
        key = f"{heard.id}:{change}" if change else heard.id
        payload = {"what": "heard", **heard.as_json()}
        event = Event("discord", key, heard.channel, payload, time.time(), heard.user)
        receipts = self.adapter.receipts
        receipts.begin()
        try:
            for _ in range(STORE_TRIES):
                try:
                    await asyncio.shield(receipts.intake.put(event))
                except StoreUnavailable:
                    await asyncio.sleep(STORE_PAUSE)
                else:
                    return
            log.error("discord.message_not_saved", channel=heard.channel)
        finally:
            receipts.end()

    async def _put_deleted(self, channel: str, message: str) -> None:
        try:
            if await self.services.store.answer_to("discord", channel, message) is not None:
                payload = {"what": "gone", "channel": channel, "id": message}
                await self.services.inbox.put([Event("discord", f"gone:{message}", channel, payload, time.time())])
        except StoreUnavailable:
            log.warning("discord.deletion_missed")

    async def close(self) -> None:
        """Write down what was seen last."""
        for task in list(self._tasks):
            task.cancel()
        await self.seen.save()


def as_event(used: Used) -> Event:
    """An interaction as an event: people do not wait for each other, each one's are in order."""
    sent = time.time()
    event = Event("discord", used.id, used.channel, {"what": "used", **used.as_json()}, sent, used.user)
    event.lane = f"{used.channel}:{used.user}"
    return event

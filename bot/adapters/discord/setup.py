"""`/whichgpu-setup`: when the bot speaks in a channel, and what it lacks there."""

from collections.abc import Callable
from typing import Any

import discord

from bot.adapters.base import Services
from bot.adapters.discord.events import Used
from bot.adapters.words import words

MODES = ("off", "mentions", "sure")
PLACES = ("inline", "thread")
NEEDED = ("view_channel", "send_messages", "read_message_history")
NEEDED_FOR_THREADS = ("create_public_threads", "send_messages_in_threads")
ChannelOf = Callable[[str], Any]
"""The library's channel for an id, None when it does not know it."""


class Setup:
    """Reads and writes a channel's settings."""

    def __init__(self, services: Services, channel_of: ChannelOf) -> None:
        self.services = services
        self.channel_of = channel_of

    async def run(self, used: Used, language: str) -> str:
        """Change the settings as asked; what to say about it. Threads follow the channel that they are in."""
        say = words(language)
        if not used.guild:
            return say("setup_server")
        if not used.may_manage:
            return say("admins_only")
        channel = used.values.get("channel") or (used.parent if used.thread else used.channel)
        before = await self.services.store.channel("discord", channel)
        mode, place = used.values.get("mode", "mentions"), used.values.get("place") or before.get("place", "inline")
        if mode not in MODES or place not in PLACES:
            return say("expired")
        tag = used.values.get("tag", str(before.get("tag") or "")).strip()[:50]
        settings = {"mode": mode, "place": place, "tag": tag}
        await self.services.store.set_channel("discord", channel, settings)
        lines = [say("setup_saved", channel=f"<#{channel}>", mode=say.choices[mode], place=say.choices[place])]
        if tag:
            lines.append(say("setup_tag", tag=f"**{discord.utils.escape_markdown(tag)}**"))
        missing = self.missing(channel, place, used.bot_may if channel == used.channel else None)
        if missing and mode != "off":
            names = ", ".join(f"**{say.permissions[name]}**" for name in missing)
            lines.append("⚠️ " + say("no_permission", channel=f"<#{channel}>", missing=names))
        if mode == "sure" and not self.services.settings.discord_message_content:
            lines.append(say("setup_no_content"))
        return "\n".join(lines)

    def missing(self, channel: str, place: str, granted: int | None) -> list[str]:
        """The permissions that the bot lacks in a channel for what it is to do there."""
        needed = NEEDED + (NEEDED_FOR_THREADS if place == "thread" else ())
        known = self.channel_of(channel)
        if granted is not None:
            has = discord.Permissions(granted)
        elif known is not None and known.guild.me is not None:
            has = known.permissions_for(known.guild.me)
        else:
            return []
        if isinstance(known, discord.ForumChannel):
            needed = ("view_channel", "send_messages_in_threads", "read_message_history")
        return [] if has.administrator else [name for name in needed if not getattr(has, name)]

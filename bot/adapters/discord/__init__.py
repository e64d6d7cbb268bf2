"""The Discord adapter: the only place that imports discord.py."""

from bot.adapters.discord.adapter import DiscordAdapter

__all__ = ["DiscordAdapter"]

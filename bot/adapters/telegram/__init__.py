"""The Telegram adapter: the only place that imports python-telegram-bot."""

from bot.adapters.telegram.adapter import TelegramAdapter

__all__ = ["TelegramAdapter"]

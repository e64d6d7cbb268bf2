"""A document that someone sends: a config, a script or a log, read as text."""

from telegram import Bot
from telegram.error import TelegramError

from bot.adapters.files import Unreadable, check, decoded
from bot.adapters.telegram.updates import Attached

__all__ = ["Unreadable", "read_document"]


async def read_document(bot: Bot, document: Attached) -> str:
    """Its text. Raises Unreadable for a file that is too large, no text, or not to be had."""
    check(document.name, document.size)
    try:
        file = await bot.get_file(document.file_id)
        data = bytes(await file.download_as_bytearray())
    except TelegramError as error:
        raise Unreadable("file_unreadable") from error
    return decoded(data)

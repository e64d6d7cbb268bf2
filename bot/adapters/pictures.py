"""The picture of an answer, drawn beside the event loop: it takes some tens of milliseconds."""

import asyncio

import structlog

from advisor.query import Query
from bot.messages import Picture, Reply
from bot.pipeline import answer_query

log = structlog.get_logger(__name__)


async def picture_for(query: Query, language: str) -> tuple[Picture | None, Reply]:
    """The memory picture of a query's answer, None when there is nothing to draw; and the answer itself."""
    return await asyncio.to_thread(_draw, query, language)


def _draw(query: Query, language: str) -> tuple[Picture | None, Reply]:
    from bot.picture import memory_png

    try:
        given = answer_query(query, language)
        return (memory_png(given.advice, language) if given.advice else None), given.reply
    except Exception:  # a picture is a courtesy; its words are there already
        log.exception("picture.failed")
        return None, Reply(language=language, silent=True)

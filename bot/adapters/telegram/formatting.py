"""A Reply in Telegram's forms: rich messages with tables and folded depth, or text with entities.

Entities and rich HTML are made by telegramify-markdown, never by hand: a name like `<b>` or `_x_` stays what it is.
"""

import html
from dataclasses import dataclass
from typing import Any

from telegramify_markdown import convert, richify, split_entities
from telegramify_markdown.config import RenderConfig
from telegramify_markdown.entity import utf16_len

from bot.adapters.tables import table_text
from bot.messages import Reply, Table, Text, table_markdown

TEXT_LIMIT = 4096
"""UTF-16 units of a message after parsing (Bot API, sendMessage)."""
CAPTION_LIMIT = 1024
RICH_LIMIT = 32_000
"""Bytes of a rich message's source; the API allows 32 768."""
ENTITY_LIMIT = 100

_CONFIG = RenderConfig.isolated()
_CONFIG.markdown_symbol.unordered_list_item = "•"


@dataclass(frozen=True, slots=True)
class Piece:
    """One message: plain text and its entities, offsets in UTF-16 units."""

    text: str
    entities: tuple[dict[str, Any], ...] = ()


def wants_rich(reply: Reply) -> bool:
    """Only tables and folded depth need a rich message; everything else reads the same as plain text."""
    return bool(reply.more) or any(isinstance(block, Table) for block in reply.blocks)


def rich_html(reply: Reply, more_label: str) -> str | None:
    """The whole reply as the HTML of one rich message; None when it is too long for one."""
    source = _rich(reply.blocks)
    if reply.more:
        source += f"<details><summary>{html.escape(more_label)}</summary>{_rich(reply.more)}</details>"
    return source if len(source.encode()) <= RICH_LIMIT else None


def pieces(reply: Reply) -> list[Piece]:
    """The reply as messages of text with entities, split at paragraphs, no sentence cut where it can be helped."""
    blocks = [*reply.blocks, *reply.more]
    markdown = "\n\n".join(block.markdown if isinstance(block, Text) else table_text(block) for block in blocks)
    return markdown_pieces(markdown)


def markdown_pieces(markdown: str, limit: int = TEXT_LIMIT) -> list[Piece]:
    """Markdown as messages of at most `limit` UTF-16 units after parsing."""
    text, entities = convert(markdown, latex_escape=False, config=_CONFIG)
    if utf16_len(text) <= limit:
        parts = [(text, entities)] if text.strip() else []
    else:
        parts = split_entities(text, entities, limit)
    return [Piece(part, tuple(e.to_dict() for e in inside[:ENTITY_LIMIT])) for part, inside in parts]


def caption(reply: Reply) -> Piece:
    """The title for under a picture."""
    return markdown_pieces(f"**{reply.title}**" if reply.title else "", CAPTION_LIMIT)[0] if reply.title else Piece("")


def _rich(blocks: tuple[Text | Table, ...]) -> str:
    markdown = "\n\n".join(block.markdown if isinstance(block, Text) else table_markdown(block) for block in blocks)
    return richify(markdown).html or ""

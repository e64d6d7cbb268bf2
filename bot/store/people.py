"""What concerns a person as a whole: exporting, and what retention removes; erasing stands in `statements`."""

import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Table, and_, delete, or_, select
from sqlalchemy.ext.asyncio.engine import AsyncConnection

from bot.store import tables as t

if TYPE_CHECKING:
    from bot.store.store import Store

ABOUT_PEOPLE = (t.conversations, t.preferences, t.answers, t.feedback)
INBOX_DAYS = 2.0
"""How long handled events are known, so that one that is delivered again is not answered again. Telegram repeats for
24 hours."""
HUB_DAYS = 180.0


def _theirs(table: Table, platform: str, person: str) -> ColumnElement[bool]:
    """The rows of a person, as each table's index has them."""
    if table is t.preferences:
        return table.c.key == f"{platform}:{person}"
    theirs = and_(table.c.platform == platform, table.c.person == person)
    return and_(theirs, t.named) if table is t.inbox else theirs


async def everything_about(store: "Store", platform: str, person: str) -> dict[str, list[dict[str, Any]]]:
    """Every row of a person, by table."""
    found = {}
    for table in (*ABOUT_PEOPLE, t.inbox):
        rows = await store.rows(select(table).where(_theirs(table, platform, person)))
        found[table.name] = [dict(row._mapping) for row in rows]
    return found


async def prune(connection: AsyncConnection, retention_days: float) -> int:
    """Delete what is older than the setting says; returns how many rows."""
    now = time.time()
    old = now - retention_days * 86_400
    rows = 0
    for column in (t.conversations.c.updated, t.answers.c.created, t.feedback.c.created):
        rows += (await connection.execute(delete(column.table).where(column < old))).rowcount
    unused = or_(t.unknown_names.c.last < old, t.unknown_names.c.name == "")
    rows += (await connection.execute(delete(t.unknown_names).where(unused))).rowcount
    handled = t.inbox.c.done < now - min(INBOX_DAYS, retention_days) * 86_400
    rows += (await connection.execute(delete(t.inbox).where(handled))).rowcount
    rows += (await connection.execute(delete(t.hub).where(t.hub.c.fetched < now - HUB_DAYS * 86_400))).rowcount
    return rows

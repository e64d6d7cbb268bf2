"""Every statement of the store finds its rows by an index: a table with a million rows is never walked."""

import sqlite3
import time
from pathlib import Path
from typing import Any

from sqlalchemy import event, func, select

from advisor.query import Query
from bot.inbox import Inbox
from bot.store import Step, Store
from bot.store import tables as t
from bot.store.people import prune
from bot.work import Event

SMALL = ("leases", "notes", "channels", "tallies", "unknown_names", "hub", "alembic_version", "sqlite_master")
"""Tables that grow with days, channels and models, not with people."""
WALKS = ("SELECT count(*), min(inbox.received)",)
"""Walks over what is open, by its index."""


async def used(store: Store) -> list[tuple[str, Any]]:
    """All that the bot asks its database, with values."""
    said: dict[str, Any] = {}

    def note(_connection: Any, _cursor: Any, text: str, values: Any, *_more: Any) -> None:
        said.setdefault(text, values[0] if isinstance(values, list) else values)

    event.listen(store.engine.sync_engine, "before_cursor_execute", note)
    talk = ("telegram", "c", "p")
    inbox = Inbox(store)
    await inbox.put([Event("telegram", "e", "c", {"text": "13b"}, time.time(), "p")])
    await inbox.claims.fetch(10, [5, 6], ["telegram", "discord"], True)
    await store.rows(select(func.count(), func.min(t.inbox.c.received)).where(t.open_rows))
    await store.known(*talk)
    await store.write(store.remember(*talk, Query()))
    await store.prefer("telegram", "p", language="de")
    await store.channel("discord", "c")
    await store.write(store.answered("telegram", "c", "m", "p", "1"))
    await store.answer_to("telegram", "c", "m")
    await store.drop_answer("telegram", "c", "m")
    await store.feedback("telegram", "p", "1", True, Query())
    await store.hub_shape("a/b")
    await store.note("n")
    await store.leases.take("prune", "me", 10)
    await store.export("telegram", "p")
    await store.forget("telegram", "p")
    await store.write(Step(lambda connection: prune(connection, 90)))
    plain = store.writer._plain
    assert plain is not None
    names = ("row", "at", "how", "one_more", "where", "name", "gone", "on", "who", "whose", "talks", "persons", "keys")
    blank = dict.fromkeys(names, 0)
    blank |= {column.name: 0 for table in t.metadata.tables.values() for column in table.c}
    return [*said.items(), *((text, blank) for text in plain.texts.values())]


async def test_no_statement_walks_a_table_of_people(tmp_path: Path) -> None:
    file = tmp_path / "whichgpu.db"
    store = await Store.open(f"sqlite+aiosqlite:///{file}")
    try:
        statements = await used(store)
    finally:
        await store.close()
    people = set(t.metadata.tables) - set(SMALL)
    looked_at, walked = set(), []
    with sqlite3.connect(file) as connection:
        for text, values in statements:
            if not text.lstrip().upper().startswith(("SELECT", "UPDATE", "DELETE", "INSERT")):
                continue
            for *_, step in connection.execute(f"EXPLAIN QUERY PLAN {text}", values):
                verb, _, rest = step.partition(" ")
                table = rest.split(" ")[0]
                looked_at.add(table)
                wide = verb == "SCAN" or step.endswith("(platform=?)")
                if wide and table in people and not text.startswith(WALKS):
                    walked.append(f"{step}: {text}")
    connection.close()
    assert people <= looked_at
    assert not walked, "\n".join(walked)

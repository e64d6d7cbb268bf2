"""`Store`: conversations, preferences, channel settings, answers, feedback, notes. All awaits of the bot on its
database.

On SQLite this process is the only one that writes, so recent values are kept in memory; on PostgreSQL
every look-up asks the database, because another process may have changed it.
"""

import asyncio
import json
import sqlite3
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import structlog
from sqlalchemy import Executable, select
from sqlalchemy.exc import SQLAlchemyError

from advisor.query import Query
from bot.store import tables as t
from bot.store.engine import FileLock, check_file, hand_over, open_engine, sqlite_file, upgrade
from bot.store.errors import StoreError, StoreUnavailable
from bot.store.journal import Journal, settle
from bot.store.leases import Leases
from bot.store.loader import Loader, Recent
from bot.store.people import everything_about
from bot.store.plain import Plain
from bot.store.statements import Statements
from bot.store.tally import Tally
from bot.store.values import GivenAnswer, Known, Preferences, clean, preferences_of, query_of
from bot.store.writer import Op, Step, Writer

log = structlog.get_logger(__name__)
RECENT = 1_024
"""Conversations and preferences held in memory; small, so that a long run does not grow."""


class Store:
    """Open with `await Store.open(address)`, close with `await store.close()`."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.file = sqlite_file(address)
        self.engine = open_engine(address)
        self.alone = self.engine.dialect.name == "sqlite"
        """No other process writes to this database."""
        self.say = Statements(self.engine.dialect.name)
        self._plain = Plain(self.file, self.say.plain()) if self.file else None
        self.writer = Writer(self.engine, self._plain)
        self.journal: Journal | None = None
        """What was answered, before the database has it; only where this process alone works on the rows."""
        self.tally = Tally(self)
        self.leases = Leases(self)
        self.damage = ""
        self._lock = FileLock(self.file) if self.file else None
        self._known: Loader[tuple[str, str], Known] = Loader(self._fetch_known)
        self._given: Loader[str, GivenAnswer] = Loader(self._fetch_given)
        self._queries: Recent[str, Query | None] = Recent(RECENT if self.alone else 0)
        self._preferences: Recent[str, Preferences] = Recent(RECENT if self.alone else 0)
        self._channels: Recent[str, dict[str, Any]] = Recent(RECENT if self.alone else 0)
        self._answers: Recent[str, GivenAnswer] = Recent(RECENT if self.alone else 0)
        """What was said lately: it may be asked for before the database has it."""

    @classmethod
    async def open(cls, address: str, *, lock: bool = True) -> "Store":
        """Check the file, take the lock, migrate, start the writer.

        Raises StoreCorrupt, StoreInUse, StoreError (each says what to do), or SQLAlchemy's error when a server is away.
        """
        store = cls(address)
        try:
            if store.file is not None:
                if lock and store._lock is not None:
                    store._lock.take()
                check_file(store.file, whole=False)
            await upgrade(store.engine)
            if store.file is not None and lock:
                store.journal = Journal(store.file.with_name(store.file.name + "-marks"))
                await settle(store.journal, store.engine, store.say.mark_named)
        except BaseException:
            await store.engine.dispose()
            if store._lock is not None:
                store._lock.release()
            raise
        store.writer.start()
        return store

    async def close(self, seconds: float = 1.5) -> None:
        """Write what is waiting, close the connections, let the lock go."""
        self.tally.flush()
        await self.writer.close(seconds)
        if self.journal is not None:
            self.journal.close()
        await self.engine.dispose()
        if self.file is not None:
            hand_over(self.file)
        if self._lock is not None:
            self._lock.release()

    @property
    def healthy(self) -> bool:
        """The last transaction was taken, and the file is sound."""
        return self.writer.failing_since is None and not self.damage

    async def look_through(self) -> None:
        """Check all of a SQLite file, beside the work; what is found is in `damage` and makes the store unhealthy."""
        if self.file is not None:
            try:
                await asyncio.to_thread(check_file, self.file)
            except StoreError as error:
                self.damage = str(error)
                log.error("store.damaged", reason=self.damage)

    async def rows(self, statement: Executable, values: Mapping[str, Any] | None = None) -> list[Any]:
        """Read; raises StoreUnavailable when the database does not answer."""
        try:
            async with self.engine.connect() as connection:
                return list((await connection.execute(statement, values or {})).fetchall())
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            raise StoreUnavailable(type(error).__name__) from error

    async def _look_up(self, statement: Executable, keys: Mapping[str, list[str]]) -> list[Any]:
        """Rows of many keys, the shortest way; raises StoreUnavailable."""
        if self._plain is None:
            return await self.rows(
                statement, {name: json.dumps(some) for name, some in keys.items()} if self.alone else keys
            )
        try:
            return await self._plain.read(statement, keys)
        except (sqlite3.Error, OSError) as error:
            raise StoreUnavailable(type(error).__name__) from error

    async def write(self, *parts: Op | Step, keep: bool = False) -> list[Any]:
        """Commit these together; see Writer.submit."""
        return await self.writer.submit(parts, keep=keep)

    # People

    async def known(self, platform: str, chat: str, person: str) -> Known:
        """The last query of a person in a chat, and what the person prefers."""
        talk, who = f"{platform}:{chat}:{person}", f"{platform}:{person}"
        if talk in self._queries and who in self._preferences:
            return Known(self._queries[talk], self._preferences[who])
        return await self._known.get((talk, who)) or Known()

    def expect(self, events: Iterable[tuple[str, str, str]]) -> None:
        """Look up in one go what will be asked for soon: (platform, chat, person) each."""
        if not self.alone:
            return
        for platform, chat, person in events:
            talk, who = f"{platform}:{chat}:{person}", f"{platform}:{person}"
            if talk not in self._queries or who not in self._preferences:
                self._known.prepare((talk, who))

    async def _fetch_known(self, keys: list[tuple[str, str]]) -> dict[tuple[str, str], Known]:
        asked = {"talks": [talk for talk, _ in keys], "persons": list({who for _, who in keys})}
        rows = {(row[0], row[1]): row for row in await self._look_up(self.say.known, asked)}
        found = {}
        for talk, who in keys:
            query, preferences = query_of(rows.get(("query", talk))), preferences_of(rows.get(("preferences", who)))
            if self.alone:  # what was written while we were asking is newer
                query = self._queries.setdefault(talk, query)
                preferences = self._preferences.setdefault(who, preferences)
            found[talk, who] = Known(query, preferences)
        return found

    def remember(self, platform: str, chat: str, person: str, query: Query) -> Op:
        """The row that keeps the last query; hand it to `Work.add` or `write`."""
        key = f"{platform}:{chat}:{person}"
        if self.alone:
            self._queries[key] = query
        text = query.model_dump_json(exclude_defaults=True)
        values = {"key": key, "platform": platform, "person": person, "query": text, "updated": time.time()}
        return Op(self.say.remember, values)

    async def prefer(self, platform: str, person: str, **changes: Any) -> Preferences:
        """Change a person's language, units, currency or opt_out; returns all of them."""
        now = replace((await self.known(platform, "", person)).preferences, **changes)
        key = f"{platform}:{person}"
        await self.write(
            Op(self.say.prefer, {"key": key, "platform": platform, "person": person, "updated": time.time(),
                                 "language": now.language, "units": now.units, "currency": now.currency,
                                 "opt_out": now.opt_out})
        )  # fmt: skip
        if self.alone:
            self._preferences[key] = now
        return now

    async def forget(self, platform: str, person: str) -> int:
        """Erase a person at once: conversations, preferences, answers, feedback, waiting messages. Returns how many
        rows."""
        self._unlearn(f"{platform}:{person}")
        values = {"on": platform, "who": person, "whose": f"{platform}:{person}"}
        found = await self.write(*(Op(change, values, returning=True, alone=True) for change in self.say.erase))
        self._unlearn(f"{platform}:{person}")  # also what was looked up meanwhile
        return sum(row[0] for rows in found for row in rows)

    def _unlearn(self, who: str) -> None:
        self._queries.clear()
        self._answers.clear()
        self._preferences.pop(who)

    async def export(self, platform: str, person: str) -> dict[str, list[dict[str, Any]]]:
        """All that is stored about a person, by table."""
        return await everything_about(self, platform, person)

    # Channels

    async def channel(self, platform: str, chat: str) -> dict[str, Any]:
        """The settings of a channel, as the adapter wrote them; {} when there are none."""
        key = f"{platform}:{chat}"
        if key in self._channels:
            return self._channels[key]
        rows = await self.rows(select(t.channels.c.settings).where(t.channels.c.key == key))
        settings = json.loads(rows[0][0]) if rows else {}
        if self.alone:
            self._channels[key] = settings
        return settings

    async def set_channel(self, platform: str, chat: str, settings: Mapping[str, Any]) -> None:
        """Keep the settings of a channel."""
        key = f"{platform}:{chat}"
        values = {"key": key, "platform": platform, "settings": json.dumps(dict(settings)), "updated": time.time()}
        await self.write(Op(self.say.channel, values))
        if self.alone:
            self._channels[key] = dict(settings)

    # Answers

    def answered(
        self, platform: str, chat: str, message: str, person: str, answer: str, extra: Mapping[str, Any] | None = None
    ) -> Op:
        """The row that ties a question's message to the answer's; hand it to `Work.add` or `write`."""
        key = f"{platform}:{chat}:{message}"
        self._answers[key] = GivenAnswer(answer, person, dict(extra or {}))
        values = {"key": key, "platform": platform, "person": person, "answer": answer,
                  "extra": json.dumps(dict(extra or {})), "created": time.time()}  # fmt: skip
        return Op(self.say.answer, values)

    async def answer_to(self, platform: str, chat: str, message: str) -> GivenAnswer | None:
        """The answer that was sent to a message: to edit it, to delete it, or not to send another."""
        key = f"{platform}:{chat}:{message}"
        return self._answers[key] if key in self._answers else await self._given.get(key)

    async def _fetch_given(self, keys: list[str]) -> dict[str, GivenAnswer]:
        rows = await self._look_up(self.say.given, {"keys": keys})
        return {key: GivenAnswer(answer, person, json.loads(extra)) for key, answer, person, extra in rows}

    async def drop_answer(self, platform: str, chat: str, message: str) -> None:
        """The answer is gone."""
        key = f"{platform}:{chat}:{message}"
        self._answers.pop(key)
        await self.write(Op(self.say.drop_answer, {"gone": key}))

    async def feedback(
        self, platform: str, person: str, answer: str, helpful: bool, query: Query | None, verdict: str = ""
    ) -> None:
        """Keep whether an answer helped: the query and the verdict, not the words. `answer`: any id of the answer."""
        text = query.model_dump_json(exclude_defaults=True) if query else "{}"
        values = {"key": clean(f"{platform}:{answer}:{person}", 300), "platform": platform, "person": person,
                  "query": text, "kind": query.kind if query else "", "verdict": clean(verdict, 500),
                  "helpful": helpful, "created": time.time()}  # fmt: skip
        await self.write(Op(self.say.feedback, values))

    # Look-ups and notes

    async def hub_shape(self, model: str) -> tuple[Mapping[str, Any] | None, float] | None:
        """A model's shape from an earlier look-up, and when that was; the shape is None when there was none."""
        rows = await self.rows(select(t.hub.c.arch, t.hub.c.fetched).where(t.hub.c.model == clean(model.lower(), 200)))
        return (json.loads(rows[0][0]) if rows[0][0] else None, rows[0][1]) if rows else None

    async def keep_hub_shape(self, model: str, arch: Mapping[str, Any] | None) -> None:
        """Keep the result of a look-up."""
        values = {
            "model": clean(model.lower(), 200),
            "arch": json.dumps(dict(arch)) if arch else None,
            "fetched": time.time(),
        }
        await self.write(Op(self.say.hub, values))

    async def note(self, name: str) -> str | None:
        """A small value kept under a name, e.g. the hash of the command tree."""
        rows = await self.rows(select(t.notes.c.value).where(t.notes.c.name == name))
        return str(rows[0][0]) if rows else None

    async def set_note(self, name: str, value: str) -> None:
        """Keep a small value."""
        await self.write(Op(self.say.note, {"name": name, "value": value, "updated": time.time()}))

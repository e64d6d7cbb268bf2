"""Every statement of the hot path, built once per database, so that the writer can put equal ones together."""

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from sqlalchemy import (
    Executable,
    Insert,
    Select,
    String,
    Table,
    Update,
    bindparam,
    case,
    delete,
    func,
    literal_column,
    null,
    or_,
    select,
    union_all,
    update,
)

from bot.store import tables as t


class Statements:
    """`dialect` is sqlite or postgresql; they differ in the word for an upsert and in how lists of keys are given."""

    def __init__(self, dialect: str) -> None:
        self._dialect = dialect
        self._insert: Any = import_module(f"sqlalchemy.dialects.{dialect}").insert
        self.put = (
            self._insert(t.inbox)
            .on_conflict_do_nothing(index_elements=["platform", "event_id"])
            .returning(t.inbox.c.id, t.inbox.c.platform, t.inbox.c.event_id)
        )
        self.mark, self.mark_named, self.postpone = _changes_of_the_inbox()
        self.remember = self._upsert(t.conversations)
        self.prefer = self._upsert(t.preferences)
        self.channel = self._upsert(t.channels)
        self.answer = self._upsert(t.answers)
        self.drop_answer = delete(t.answers).where(t.answers.c.key == bindparam("gone"))
        self.feedback = self._upsert(t.feedback)
        self.hub = self._upsert(t.hub)
        self.note = self._upsert(t.notes)
        self.unknown = self._count(t.unknown_names, t.unknown_names.c.asked, "last")
        self.tally = self._count(t.tallies, t.tallies.c.count)
        lease = self._insert(t.leases)
        self.lease = lease.on_conflict_do_update(
            index_elements=["name"],
            set_={"owner": lease.excluded.owner, "until": lease.excluded.until},
            where=or_(t.leases.c.owner == lease.excluded.owner, t.leases.c.until < bindparam("now")),
        ).returning(t.leases.c.name)
        self.known = self._known()
        self.given = select(t.answers.c.key, t.answers.c.answer, t.answers.c.person, t.answers.c.extra).where(
            t.answers.c.key.in_(self._any_of("keys"))
        )
        self.erase = _together(_erasures()) if dialect == "postgresql" else _erasures()
        """Of a person: each returns a number for a row, which add up to how many were erased."""

    def plain(self) -> dict[Executable, str]:
        """The statements of the daily work as SQLite's SQL; the others take the way through SQLAlchemy."""
        columns: dict[Any, Iterable[str]] = {
            self.put: ("platform", "event_id", "chat", "person", "payload", "sent", "received", "owner", "lease"),
            self.mark: ("row", "at", "how"),
            self.postpone: ("row", "at", "one_more"),
            self.drop_answer: ("gone",),
            self.known: ("talks", "persons"),
            self.given: ("keys",),
            **dict.fromkeys(self.erase, ("on", "who", "whose")),
        }
        upserts = (self.remember, self.answer, self.prefer, self.feedback, self.note, self.channel, self.hub)
        columns |= {upsert: upsert.table.c.keys() for upsert in upserts}
        dialect = import_module("sqlalchemy.dialects.sqlite").dialect(paramstyle="named")
        return {made: str(made.compile(dialect=dialect, column_keys=list(keys))) for made, keys in columns.items()}

    def _any_of(self, name: str) -> Any:
        """A list of keys to look for: one value, JSON, on SQLite, where the statement's text then never changes."""
        if self._dialect == "sqlite":
            return select(func.json_each(bindparam(name, type_=String)).table_valued("value").c.value)
        return bindparam(name, expanding=True)

    def _known(self) -> Any:
        """What is known about persons in one round: their last queries and their preferences."""
        talk, like = t.conversations, t.preferences
        conversation: Select[Any] = select(
            literal_column("'query'", String).label("what"),
            talk.c.key,
            talk.c.query.label("a"),
            null().label("b"),
            null().label("c"),
            literal_column("0").label("d"),
        ).where(talk.c.key.in_(self._any_of("talks")))
        preference: Select[Any] = select(
            literal_column("'preferences'", String),
            like.c.key,
            like.c.language,
            like.c.units,
            like.c.currency,
            case((like.c.opt_out, literal_column("1")), else_=literal_column("0")),
        ).where(like.c.key.in_(self._any_of("persons")))
        return union_all(conversation, preference)

    def _upsert(self, table: Table) -> Insert:
        made = self._insert(table)
        keys = [column.name for column in table.primary_key]
        rest = {column.name: made.excluded[column.name] for column in table.c if column.name not in keys}
        return made.on_conflict_do_update(index_elements=keys, set_=rest)  # type: ignore[no-any-return]

    def _count(self, table: Table, number: Any, *latest: str) -> Insert:
        made = self._insert(table)
        changes = {number.name: number + made.excluded[number.name], **{name: made.excluded[name] for name in latest}}
        return made.on_conflict_do_update(index_elements=[c.name for c in table.primary_key], set_=changes)  # type: ignore[no-any-return]


def _changes_of_the_inbox() -> tuple[Update, Update, Update]:
    """Of one event: done, done by its name, later."""
    mark = (
        update(t.inbox)
        .where(t.inbox.c.id == bindparam("row"), t.open_rows)
        .values(
            done=bindparam("at"), outcome=bindparam("how"), payload=literal_column("''"), owner=null(), lease=null()
        )
    )
    mark_named = (
        update(t.inbox)
        .where(t.inbox.c.platform == bindparam("where"), t.inbox.c.event_id == bindparam("name"), t.open_rows)
        .values(done=bindparam("at"), outcome="answered", payload="", owner=None, lease=None)
    )
    postpone = (
        update(t.inbox)
        .where(t.inbox.c.id == bindparam("row"))
        .values(due=bindparam("at"), tries=t.inbox.c.tries + bindparam("one_more"))
    )
    return mark, mark_named, postpone


def _erasures() -> tuple[Executable, ...]:
    """A person's rows are deleted; of events that were handled nothing stays that leads to them."""
    on, who = bindparam("on", type_=String), bindparam("who", type_=String)
    gone: list[Any] = [
        delete(table).where(table.c.platform == on, table.c.person == who)
        for table in (t.conversations, t.answers, t.feedback)
    ]
    gone.append(delete(t.preferences).where(t.preferences.c.key == bindparam("whose", type_=String)))
    handled = update(t.inbox).where(t.inbox.c.platform == on, t.inbox.c.person == who, t.named)
    emptied = handled.where(t.inbox.c.done.is_not(None)).values(
        dict.fromkeys(("payload", "person", "chat"), literal_column("''"))
    )
    counted = [(change, "1") for change in gone] + [(emptied, "0")]
    return tuple(change.returning(literal_column(rows).label("rows")) for change, rows in counted)


def _together(changes: Iterable[Any]) -> tuple[Executable, ...]:
    """All of them in one statement, and so in one round to the server."""
    parts = [change.cte(f"change_{number}") for number, change in enumerate(changes)]
    return (union_all(*(select(part.c[0]) for part in parts)),)

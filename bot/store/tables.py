"""The one schema, the same on SQLite and PostgreSQL.

Times are seconds since 1970 as floats (SQLite has no time zones), JSON is text written by us (the same bytes
everywhere),
keys of conversations and settings are one text column: one look-up, one upsert. Messages of people are held only
in `inbox.payload`, and only until they are answered.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    }
)
BigId = BigInteger().with_variant(Integer, "sqlite")
"""SQLite counts up by itself only in a column of type INTEGER."""

inbox = Table(
    "inbox",
    metadata,
    Column("id", BigId, primary_key=True, autoincrement=True),
    Column("platform", String(16), nullable=False),
    Column("event_id", String(128), nullable=False, comment="the platform's own id of the event"),
    Column("chat", String(128), nullable=False, comment="events of one chat are handled in order"),
    Column("person", String(128), nullable=False, server_default=""),
    Column("payload", Text, nullable=False, comment="JSON; emptied when done"),
    Column("sent", Float(53), nullable=False, comment="when the person sent it, as the platform says"),
    Column("received", Float(53), nullable=False),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("owner", String(128), comment="the process that works on it"),
    Column("lease", Float(53), comment="until when the owner's claim holds"),
    Column("due", Float(53), nullable=False, server_default="0", comment="not before"),
    Column("done", Float(53)),
    Column("outcome", String(16), comment="answered, silent, late, set_aside, erased"),
    UniqueConstraint("platform", "event_id"),
)
open_rows = inbox.c.done.is_(None)
named = inbox.c.person != literal_column("''")
PARTIAL = {
    Index("ix_inbox_open", inbox.c.id): open_rows,
    Index("ix_inbox_open_chat", inbox.c.chat): open_rows,
    Index("ix_inbox_person", inbox.c.platform, inbox.c.person): named,
}
"""Indexes of some rows only; see `schema`."""
Index("ix_inbox_done", inbox.c.done)

answers = Table(
    "answers",
    metadata,
    Column("key", String(300), primary_key=True, comment="platform:chat:message of the question"),
    Column("platform", String(16), nullable=False),
    Column("person", String(128), nullable=False),
    Column("answer", String(128), nullable=False, comment="the platform's id of the answer"),
    Column("extra", Text, nullable=False, server_default="{}", comment="JSON: what the adapter needs to edit it"),
    Column("created", Float(53), nullable=False, index=True),
    Index("ix_answers_person", "platform", "person"),
)
conversations = Table(
    "conversations",
    metadata,
    Column("key", String(300), primary_key=True, comment="platform:chat:person"),
    Column("platform", String(16), nullable=False),
    Column("person", String(128), nullable=False),
    Column("query", Text, nullable=False, comment="the last Query as JSON, never the words"),
    Column("updated", Float(53), nullable=False, index=True),
    Index("ix_conversations_person", "platform", "person"),
)
preferences = Table(
    "preferences",
    metadata,
    Column("key", String(150), primary_key=True, comment="platform:person"),
    Column("platform", String(16), nullable=False),
    Column("person", String(128), nullable=False),
    Column("language", String(16)),
    Column("units", String(16)),
    Column("currency", String(8)),
    Column("opt_out", Boolean, nullable=False, server_default="0"),
    Column("updated", Float(53), nullable=False),
)
channels = Table(
    "channels",
    metadata,
    Column("key", String(150), primary_key=True, comment="platform:chat"),
    Column("platform", String(16), nullable=False),
    Column("settings", Text, nullable=False, comment="JSON; the adapter's own words"),
    Column("updated", Float(53), nullable=False),
)
feedback = Table(
    "feedback",
    metadata,
    Column("key", String(300), primary_key=True, comment="platform:answer:person; a second press changes the first"),
    Column("platform", String(16), nullable=False),
    Column("person", String(128), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("query", Text, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("helpful", Boolean, nullable=False),
    Column("created", Float(53), nullable=False, index=True),
    Index("ix_feedback_person", "platform", "person"),
)
hub = Table(
    "hub",
    metadata,
    Column("model", String(200), primary_key=True, comment="the id on the Hub, lower case"),
    Column("arch", Text, comment="JSON shape; null: there is none"),
    Column("fetched", Float(53), nullable=False),
)
notes = Table(
    "notes",
    metadata,
    Column("name", String(128), primary_key=True, comment="such as discord:commands for the hash of the command tree"),
    Column("value", Text, nullable=False),
    Column("updated", Float(53), nullable=False),
)
unknown_names = Table(
    "unknown_names",
    metadata,
    Column("slot", String(32), primary_key=True, comment="model, gpu, trainer ..."),
    Column("name", String(64), primary_key=True, comment="lower case, cut short"),
    Column("asked", Integer, nullable=False),
    Column("last", Float(53), nullable=False),
)
tallies = Table(
    "tallies",
    metadata,
    Column("day", Date, primary_key=True),
    Column("platform", String(16), primary_key=True),
    Column("kind", String(32), primary_key=True),
    Column("outcome", String(16), primary_key=True),
    Column("language", String(16), primary_key=True),
    Column("count", Integer, nullable=False),
)
leases = Table(
    "leases",
    metadata,
    Column("name", String(128), primary_key=True, comment="what only one process at a time may do"),
    Column("owner", String(128), nullable=False),
    Column("until", Float(53), nullable=False),
)


def schema(dialect: str) -> MetaData:
    """The tables with their partial indexes as this database says them: naming a dialect imports all of it, and the
    one that is not used takes 2 MiB."""
    for index, rows in PARTIAL.items():
        index.dialect_options[dialect]["where"] = rows
    return metadata

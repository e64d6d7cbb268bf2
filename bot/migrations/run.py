"""Runs migrations on a connection that is already open; no ini file, so that it works from an installed wheel."""

from pathlib import Path

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from bot.store.tables import schema


def config(connection: Connection | None = None) -> Config:
    """Alembic's configuration with our script folder."""
    made = Config()
    made.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    made.attributes["connection"] = connection
    return made


def known_versions() -> tuple[str, ...]:
    """All migrations, newest first."""
    return tuple(script.revision for script in ScriptDirectory.from_config(config()).walk_revisions())


def upgrade_connection(connection: Connection) -> None:
    """To the newest schema, in the connection's transaction."""
    command.upgrade(config(connection), "head")


def downgrade_connection(connection: Connection, version: str) -> None:
    """Back to an older schema."""
    command.downgrade(config(connection), version)


def differences(connection: Connection) -> list[str]:
    """Where the database differs from the tables in the code; empty when they agree."""
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return [str(difference) for difference in compare_metadata(context, schema(connection.dialect.name))]

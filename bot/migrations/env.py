"""Alembic's entry: works on the connection that bot.migrations.run hands over."""

from alembic import context

from bot.store.tables import schema

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=schema(connection.dialect.name),
    compare_type=True,
    render_as_batch=True,  # SQLite cannot alter most of a table in place
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()

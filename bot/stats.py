"""`whichgpu stats`: what is asked, what failed, and which unknown models and cards people ask for: the next to add."""

import json
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import typer
from sqlalchemy import func, select

from bot.store import Store, StoreError
from bot.store import tables as t


async def gather(store: Store, days: int) -> dict[str, list[dict[str, Any]]]:
    """The figures of the last `days` days: questions, outcomes, unknown names, feedback."""
    since = datetime.now(UTC) - timedelta(days=days)
    total = func.sum(t.tallies.c.count).label("count")

    def grouped(*columns: Any) -> Any:
        return (
            select(*columns, total)
            .where(t.tallies.c.day >= since.date())
            .group_by(*columns)
            .order_by(total.desc())
            .limit(30)
        )

    tallies, names, feedback = t.tallies.c, t.unknown_names.c, t.feedback.c
    asked = (
        select(names.slot, names.name, names.asked)
        .where(names.last >= since.timestamp())
        .order_by(names.asked.desc())
        .limit(30)
    )
    rated = select(feedback.kind, feedback.helpful, func.count().label("count")).where(
        feedback.created >= since.timestamp()
    )
    queries = {
        "questions": grouped(tallies.platform, tallies.kind),
        "outcomes": grouped(tallies.platform, tallies.outcome),
        "languages": grouped(tallies.language),
        "unknown names": asked,
        "feedback": rated.group_by(feedback.kind, feedback.helpful).order_by(feedback.kind),
    }
    return {name: [dict(row._mapping) for row in await store.rows(query)] for name, query in queries.items()}


def stats(
    days: Annotated[int, typer.Option(help="How many days back.", min=1, max=3650)] = 30,
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """What was asked, in numbers, from the database."""
    from bot.db_cli import _run

    async def work(store: Store) -> dict[str, list[dict[str, Any]]]:
        return await gather(store, days)

    try:
        found = _run(work)
    except StoreError as error:
        raise SystemExit(str(error)) from None
    if as_json:
        typer.echo(json.dumps(found, indent=1, ensure_ascii=False))
        return
    from rich.console import Console
    from rich.table import Table

    console = Console()
    for name, rows in found.items():
        if not rows:
            console.print(f"{name}: none in {days} days", markup=False)
            continue
        table = Table(title=name, title_justify="left")
        for column in rows[0]:
            table.add_column(column, justify="right" if column in ("count", "asked") else "left")
        for row in rows:
            table.add_row(*(str(value) for value in row.values()))
        console.print(table, markup=False)

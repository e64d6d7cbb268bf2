"""`whichgpu doctor`: settings, database, knowledge, clock, platforms; every fault with its cure. Secrets are not
shown."""

import asyncio
import shutil
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Literal

import typer
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from bot.settings import Settings, SettingsFaults, load_settings
from bot.settings_help import unknown_variables
from bot.store import Store, StoreError, StoreInUse, cure_of
from bot.store import tables as t

SIGNS = {"good": "ok  ", "warn": "!   ", "bad": "BAD "}
MOST_ROWS = 1_000
OLD_SECONDS = 300
FREE_BYTES = 200 * 1024**2


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    how: Literal["good", "warn", "bad"]
    what: str
    cure: str = ""

    def __str__(self) -> str:
        return f"{SIGNS[self.how]}{self.what}" + (f"\n      → {self.cure}" if self.cure else "")


Check = Callable[[Settings], Awaitable[list[Finding]]]


async def check_settings(settings: Settings) -> list[Finding]:
    """Tokens, names that nothing reads, a webhook that cannot work."""
    found = [Finding("warn", line, "mend or remove it") for line in unknown_variables()]
    if not settings.platforms:
        found.append(Finding("bad", "no platform has a token", "set WHICHGPU_DISCORD_TOKEN or WHICHGPU_TELEGRAM_TOKEN"))
    url = settings.telegram_webhook_url
    if url and not url.startswith("https://") and settings.telegram_api_url.startswith("https://api.telegram.org"):
        found.append(
            Finding(
                "bad",
                "WHICHGPU_TELEGRAM_WEBHOOK_URL is not https",
                "Telegram sends to https on ports 443, 80, 88, 8443 only",
            )
        )
    if settings.http_listen and not settings.http_listen.startswith(("127.", "localhost:", "[::1]:")):
        found.append(
            Finding(
                "warn",
                f"health and metrics listen on {settings.http_listen}",
                "fine in a container; else use 127.0.0.1:8080",
            )
        )
    return found or [Finding("good", f"settings; platforms: {', '.join(settings.platforms)}")]


async def check_knowledge(settings: Settings) -> list[Finding]:
    """Whether catalog and languages load."""
    from bot.pipeline import prepare
    from knowledge.catalog import load_catalog

    try:
        await asyncio.to_thread(prepare)
        catalog = load_catalog()
    except Exception as error:
        return [
            Finding("bad", f"knowledge does not load: {error}", "run `python -m knowledge check`, or install again")
        ]
    return [
        Finding(
            "good",
            f"knowledge: {len(catalog.gpus)} cards, {len(catalog.models)} models, {', '.join(settings.languages)}",
        )
    ]


async def check_database(settings: Settings) -> list[Finding]:
    """Opens, migrates, counts what waits; looks at the free space."""
    begun = time.monotonic()
    try:
        store = await Store.open(settings.database, lock=False)
    except StoreInUse as error:
        return [Finding("good", f"database: {error}")]
    except StoreError as error:
        return [Finding("bad", f"database: {error}")]
    except (SQLAlchemyError, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0][:200]
        return [Finding("bad", f"database {settings.database_shown}: {reason}", cure_of(reason))]
    try:
        waiting, found = await _waiting(store)
        milliseconds = (time.monotonic() - begun) * 1000
        opened = f"database {settings.database_shown}: opened in {milliseconds:.0f} ms, {waiting} waiting"
        found.insert(0, Finding("good", opened))
    except StoreError as error:
        found = [Finding("bad", f"database: {error}")]
    finally:
        await store.close()
    if store.file is not None and (free := shutil.disk_usage(store.file.parent).free) < FREE_BYTES:
        room = f"only {free // 1024**2} MiB free on the disk of {store.file}"
        found.append(Finding("warn", room, "make room: a full disk stops the bot"))
    return found


async def _waiting(store: Store) -> tuple[int, list[Finding]]:
    """How many events wait, and what is wrong with them: too old, or set aside. Raises StoreError."""
    columns = (
        select(t.inbox.c.received, t.inbox.c.outcome)
        .where(t.open_rows | (t.inbox.c.outcome == "set_aside"))
        .limit(MOST_ROWS)
    )
    rows = await store.rows(columns)
    found = []
    oldest = max((time.time() - row.received for row in rows if row.outcome is None), default=0.0)
    if oldest > OLD_SECONDS:
        old = f"the oldest waiting event is {oldest / 60:.0f} minutes old"
        found.append(Finding("warn", old, "is `whichgpu serve` running?"))
    if aside := sum(1 for row in rows if row.outcome):
        failed = f"{aside} events were set aside after failing"
        found.append(Finding("warn", failed, "see the log for event.set_aside; report it"))
    return len(rows) - aside, found


async def examine(settings: Settings, offline: bool) -> list[Finding]:
    """All findings, in the order of the report."""
    from bot import doctor_platforms as remote

    checks: list[Check] = [check_settings, check_knowledge, check_database]
    if not offline:
        checks += [remote.check_telegram, remote.check_discord, remote.check_hub]
    found: list[Finding] = []
    for check in checks:
        try:
            async with asyncio.timeout(30):
                found += await check(settings)
        except TimeoutError:
            found.append(Finding("bad", f"{check.__name__.removeprefix('check_')}: no answer in 30 s"))
    return found


def doctor(offline: Annotated[bool, typer.Option("--offline", help="Ask no platform.")] = False) -> None:
    """Check settings, database, knowledge and platforms, and say how to mend what is wrong.

    Exit status 1 when something is bad.
    """
    try:
        settings = load_settings()
    except SettingsFaults as faults:
        raise SystemExit("\n".join(str(Finding("bad", fault)) for fault in faults.faults)) from None
    found = asyncio.run(examine(settings, offline))
    for finding in found:
        typer.echo(str(finding))
    if any(finding.how == "bad" for finding in found):
        raise SystemExit(1)

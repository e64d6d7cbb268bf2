"""`whichgpu serve`: the store, the inbox, the desk, and every platform that has a token, each under a supervisor.

One platform that fails does not stop the other. SIGTERM finishes what was begun (at most 10 s); SIGKILL loses nothing,
because what was confirmed to a platform is on disk.
"""

import asyncio
import contextlib
import gc
import importlib
import signal
import time
from collections.abc import Callable, Mapping
from typing import Any

import structlog
from sqlalchemy.exc import SQLAlchemyError

from bot import metrics, pipeline
from bot.adapters.base import Adapter, PlatformGone, Services
from bot.desk import Desk
from bot.guard import Guard
from bot.health import Health
from bot.hub import Hub
from bot.inbox import Inbox
from bot.log import named, set_up_log
from bot.settings import Settings, SettingsFaults, load_settings
from bot.settings_help import unknown_variables
from bot.store import Step, Store, StoreError, cure_of
from bot.store.people import prune
from bot.turns import Turns

log = structlog.get_logger(__name__)
ADAPTERS: Mapping[str, str] = {
    "telegram": "bot.adapters.telegram:TelegramAdapter",
    "discord": "bot.adapters.discord:DiscordAdapter",
}
"""A platform is one line here. Imported only when it has a token."""
DRAIN_SECONDS = 5.5
CLOSE_SECONDS = 1.5
"""After SIGTERM: for what was begun, and for each of connections and database; together less than 10 s."""
PAUSES = (1.0, 60.0)
"""First and longest pause before an adapter that ended is started again."""
STEADY_SECONDS = 60.0
"""An adapter that ran so long starts over with the first pause."""
TELL_SECONDS = 0.5
TIDY_SECONDS = 30.0
SETTLE_AFTER_SECONDS = 3
PRUNE_SECONDS = 3_600.0


class App:
    """Everything that runs in one process; `run` until `stop` is set."""

    def __init__(
        self, settings: Settings, store: Store, adapters: Mapping[str, Callable[[Services], Adapter]] | None = None
    ) -> None:
        self.settings = settings
        self.store = store
        self.stop = asyncio.Event()
        self.migrated = True
        guard = Guard(
            per_user=settings.rate_user, per_chat=settings.rate_chat, allow_chats=settings.allow_chats,
            deny_chats=settings.deny_chats, deny_users=settings.deny_users,
        )  # fmt: skip
        self.inbox = Inbox(store, workers=settings.workers, late_after=settings.late_after_minutes * 60)
        hub = Hub(store, settings.hf_endpoint) if settings.hub == "on" else None
        self.services = Services(
            settings, store, self.inbox, Desk(store, guard, hub, languages=settings.languages), Turns()
        )
        make = adapters if adapters is not None else {name: load_adapter(name) for name in settings.platforms}
        self.adapters = {name: made(self.services) for name, made in make.items()}
        self.gone: dict[str, PlatformGone] = {}
        """Platforms that were given up, with the reason and the cure."""
        self.health = Health(self)

    async def run(self) -> None:
        """Serve until `stop` is set, or no platform is left."""
        await self.health.start()
        self.inbox.start(self.adapters)
        keepers = [
            asyncio.create_task(self._keep(adapter), name=f"keep {name}") for name, adapter in self.adapters.items()
        ]
        chores = [
            asyncio.create_task(chore(), name=name)
            for name, chore in (
                ("tell", self._tell),
                ("tidy", self._tidy),
                ("prune", self._prune),
                ("settle", self._settle),
            )
        ]
        waiting: asyncio.Task[Any] = asyncio.create_task(self.stop.wait())
        everyone: asyncio.Task[Any] = asyncio.create_task(self._all_given_up(keepers), name="all given up")
        try:
            await asyncio.wait({waiting, everyone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await self._end([*chores, waiting, everyone], keepers)

    async def _end(self, chores: list[asyncio.Task[Any]], keepers: list[asyncio.Task[None]]) -> None:
        begun = time.monotonic()
        log.info("app.stopping", begun_work=self.inbox.busy)
        for adapter in self.adapters.values():
            adapter.ready = False
        for task in [*keepers, *chores]:
            task.cancel()
        drained = asyncio.create_task(self.inbox.stop(DRAIN_SECONDS))
        await asyncio.wait([*keepers, *chores], timeout=CLOSE_SECONDS)
        cut = await drained
        closing = [asyncio.create_task(adapter.close()) for adapter in self.adapters.values()]
        if closing:
            await asyncio.wait(closing, timeout=CLOSE_SECONDS)
        await self.health.close()
        log.info("app.stopped", seconds=round(time.monotonic() - begun, 2), cut_off=cut)

    async def _all_given_up(self, keepers: list[asyncio.Task[None]]) -> None:
        """Returns when no platform is left; with none at all, never."""
        await asyncio.wait(keepers) if keepers else await self.stop.wait()

    async def _keep(self, adapter: Adapter) -> None:
        """Run an adapter; start it again when it ends by itself; give it up when its platform is gone for good."""
        pause = PAUSES[0]
        while True:
            begun = time.monotonic()
            try:
                await adapter.run()
                adapter.trouble = "it ended by itself"
            except PlatformGone as gone:
                adapter.ready, adapter.trouble = False, gone.reason
                self.gone[adapter.name] = gone
                log.error("platform.given_up", platform=adapter.name, reason=gone.reason, cure=gone.cure)
                return
            except Exception as error:
                adapter.trouble = named(error)
                if _is_network(error):  # nothing to mend in the code: one line, not a page
                    log.warning("platform.failed", platform=adapter.name, reason=adapter.trouble)
                else:
                    log.exception("platform.failed", platform=adapter.name)
            adapter.ready = False
            metrics.RESTARTS.labels(adapter.name).inc()
            pause = PAUSES[0] if time.monotonic() - begun > STEADY_SECONDS else min(pause * 2, PAUSES[1])
            log.warning("platform.restarts", platform=adapter.name, seconds=pause)
            await asyncio.sleep(pause)

    async def _settle(self) -> None:
        """Once connected, nothing big is loaded any more: the garbage collector looks at what is new only."""
        for _ in range(SETTLE_AFTER_SECONDS * 10):
            if all(adapter.ready for adapter in self.adapters.values()):
                break
            await asyncio.sleep(0.1)
        gc.collect()
        gc.freeze()
        gc.enable()
        await self.store.look_through()

    async def _tell(self) -> None:
        """Say in the log when a platform is connected, and when no more."""
        connected = dict.fromkeys(self.adapters, False)
        while True:
            for name, adapter in self.adapters.items():
                if adapter.ready and not connected[name]:
                    log.info("platform.connected", platform=name)
                elif connected[name] and not adapter.ready and name not in self.gone:
                    log.warning("platform.disconnected", platform=name, reason=adapter.trouble)
                connected[name] = adapter.ready
            await asyncio.sleep(TELL_SECONDS)

    async def _tidy(self) -> None:
        """Twice a minute: write the counts."""
        while True:
            await asyncio.sleep(TIDY_SECONDS)
            self.store.tally.flush()

    async def _prune(self) -> None:
        """Once an hour, one process at a time: delete what is older than RETENTION_DAYS says."""
        while True:
            try:
                if await self.store.leases.take("prune", self.inbox.claims.owner, PRUNE_SECONDS / 2):
                    (rows,) = await self.store.write(
                        Step(lambda connection: prune(connection, self.settings.retention_days))
                    )
                    log.info("store.pruned", rows=rows)
            except (StoreError, SQLAlchemyError) as error:
                log.warning("store.not_pruned", error=type(error).__name__)
            await asyncio.sleep(PRUNE_SECONDS)


def _is_network(error: BaseException | None) -> bool:
    """Whether an exception comes from the network or the operating system."""
    for _ in range(8):
        if error is None or isinstance(error, OSError):
            return error is not None
        error = error.__cause__
    return False


def load_adapter(name: str) -> Callable[[Services], Adapter]:
    """The adapter's class."""
    module, _, member = ADAPTERS[name].partition(":")
    made: Callable[[Services], Adapter] = getattr(importlib.import_module(module), member)
    return made


async def serve(settings: Settings) -> int:
    """Run until SIGTERM or SIGINT; returns the exit status: 0 after a signal, 1 when no platform is left."""
    begun = time.monotonic()
    for line in unknown_variables():
        log.warning("settings.unknown", variable=line)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signum in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(signum, stop.set)
    store = await _open_store(settings, stop)
    if store is None:
        return 0
    try:
        app = App(settings, store)
        app.stop = stop
        log.info(
            "app.starting",
            platforms=list(app.adapters),
            database=settings.database_shown,
            seconds=round(time.monotonic() - begun, 2),
        )
        await app.run()
        return 0 if stop.is_set() else 1
    finally:
        await store.close()


async def _open_store(settings: Settings, stop: asyncio.Event) -> Store | None:
    """Open the store; wait for a server that is away, as it is when everything starts at once. None when stopped
    meanwhile."""
    pause = 0.5
    while not stop.is_set():
        try:
            return await Store.open(settings.database)
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            reason = str(getattr(error, "orig", None) or error)[:200]
            log.error(
                "store.not_open",
                database=settings.database_shown,
                error=reason,
                cure=cure_of(reason),
                again_in=pause,
            )
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await stop.wait()
            pause = min(10.0, pause * 2)
    return None


def serve_command() -> None:
    """Run every platform that has a token in the environment. Raises KnowledgeFaults or YAMLError before any starts."""
    try:
        settings = load_settings()
        if not settings.platforms:
            raise SettingsFaults(
                (
                    "WHICHGPU_DISCORD_TOKEN or WHICHGPU_TELEGRAM_TOKEN: set at least one."
                    " No account yet? `whichgpu chat` needs none",
                )
            )
    except SettingsFaults as faults:
        raise SystemExit("\n".join(("whichgpu cannot start:", *faults.faults, *unknown_variables()))) from None
    set_up_log(settings)
    gc.collect()  # what imports leave behind is used again by what comes, here and below
    pipeline.prepare()
    pipeline.warm(settings.languages)
    gc.collect()
    try:
        status = asyncio.run(serve(settings))
    except StoreError as error:
        raise SystemExit(f"whichgpu cannot start: {error}") from None
    raise SystemExit(status)

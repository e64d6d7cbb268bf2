"""/healthz (alive), /readyz (connected, migrated, writing), /metrics. On loopback unless set otherwise."""

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Any

import structlog
from aiohttp import web
from sqlalchemy import func, select

from bot import metrics
from bot.store import StoreUnavailable
from bot.store import tables as t

if TYPE_CHECKING:
    from bot.app import App

log = structlog.get_logger(__name__)
LOOK_SECONDS = 10.0
"""The inbox is counted at most so often, however often metrics are read."""
AGAIN_SECONDS = 5.0


class Health:
    """The small web server; a port that is taken is tried again, and never keeps the bot from answering."""

    def __init__(self, app: "App") -> None:
        self.app = app
        self.port = 0
        self._runner: web.AppRunner | None = None
        self._opening: asyncio.Task[None] | None = None
        self._looked = float("-inf")

    async def start(self) -> None:
        """Begin to serve, unless HTTP_LISTEN is empty."""
        if not self.app.settings.http_listen:
            return
        server = web.Application()
        server.add_routes([
            web.get("/healthz", self._healthz), web.get("/readyz", self._readyz), web.get("/metrics", self._metrics),
        ])  # fmt: skip
        self._runner = web.AppRunner(server, access_log=None)
        await self._runner.setup()
        self._opening = asyncio.create_task(self._open(), name="health")

    async def _open(self) -> None:
        assert self._runner is not None
        host, _, port = self.app.settings.http_listen.rpartition(":")
        told = False
        while True:
            try:
                site = web.TCPSite(self._runner, host.strip("[]"), int(port))
                await site.start()
            except OSError as error:
                if not told:
                    log.error("health.not_listening", address=self.app.settings.http_listen, reason=error.strerror,
                              cure="set WHICHGPU_HTTP_LISTEN to a free port, or leave it empty")  # fmt: skip
                    told = True
                await asyncio.sleep(AGAIN_SECONDS)
            else:
                self.port = self._runner.addresses[0][1]
                log.info("health.listening", address=f"{host}:{self.port}")
                return

    async def close(self) -> None:
        """Stop serving."""
        if self._opening is not None:
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)
        if self._runner is not None:
            with contextlib.suppress(OSError):
                await self._runner.cleanup()

    def state(self) -> dict[str, Any]:
        """What /readyz says: ready, and per part what is the matter."""
        app = self.app
        platforms = {}
        for name, adapter in app.adapters.items():
            gone = app.gone.get(name)
            text = (
                f"given up: {gone.reason}; {gone.cure}"
                if gone
                else "connected"
                if adapter.ready
                else adapter.trouble or "connecting"
            )
            platforms[name] = text
        store = app.store.damage or ("ok" if app.store.healthy else "not writing")
        stopping = app.stop.is_set()
        ready = not stopping and app.store.healthy and all(adapter.ready for adapter in app.adapters.values())
        return {"ready": ready, "store": store, "stopping": stopping, "platforms": platforms}

    async def _healthz(self, request: web.Request) -> web.Response:
        return web.json_response({"alive": True})

    async def _readyz(self, request: web.Request) -> web.Response:
        state = self.state()
        return web.json_response(state, status=200 if state["ready"] else 503)

    async def _metrics(self, request: web.Request) -> web.Response:
        await self._look()
        return web.Response(
            body=metrics.exposition(), headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"}
        )

    async def _look(self) -> None:
        """Bring the gauges up to date."""
        app = self.app
        metrics.STORE_UP.set(app.store.healthy)
        for name, adapter in app.adapters.items():
            metrics.CONNECTED.labels(name).set(adapter.ready)
        if time.monotonic() - self._looked < LOOK_SECONDS:
            return
        self._looked = time.monotonic()
        try:
            open_rows = select(func.count(), func.min(t.inbox.c.received)).where(t.open_rows)
            ((count, oldest),) = await app.store.rows(open_rows)
        except StoreUnavailable:
            metrics.STORE_UP.set(0)
            return
        metrics.WAITING.set(count)
        metrics.OLDEST.set(max(0.0, time.time() - oldest) if oldest else 0.0)

"""Webhook that loses nothing: an update is committed to the inbox before Telegram gets its 200."""

import hmac
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import structlog
from aiohttp import web
from telegram import Bot

from bot.adapters.telegram.updates import KINDS

BODY_BYTES = 1 << 20
"""An update is far below this; a message holds at most 4096 characters and 100 entities."""
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - the name of a header
MAX_CONNECTIONS = 40

log = structlog.get_logger(__name__)

Put = Callable[[list[dict[str, Any]]], Awaitable[None]]


def application(path: str, secret: str, put: Put) -> web.Application:
    """The web server of the webhook: one route, everything else is 404."""

    async def receive(request: web.Request) -> web.Response:
        given = request.headers.get(SECRET_HEADER, "")
        if not hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode()):
            return web.Response(status=403)
        try:
            update = json.loads(await request.read())
        except (ValueError, RecursionError):
            return web.Response(status=400)
        if not isinstance(update, dict) or not isinstance(update.get("update_id"), int):
            return web.Response(status=400)
        await put([update])
        return web.Response()

    app = web.Application(client_max_size=BODY_BYTES)
    app.router.add_post(path, receive)
    return app


@asynccontextmanager
async def listening(bot: Bot, url: str, secret: str, host: str, port: int, put: Put) -> AsyncIterator[None]:
    """Listen, then tell Telegram where. The webhook stays set when we end: what comes meanwhile waits at Telegram."""
    runner = web.AppRunner(application(urlsplit(url).path or "/", secret, put), access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        await bot.set_webhook(
            url,
            secret_token=secret,
            allowed_updates=list(KINDS),
            max_connections=MAX_CONNECTIONS,
            drop_pending_updates=False,
        )
        log.info("telegram_webhook", host=host, port=port)
        yield
    finally:
        await runner.cleanup()

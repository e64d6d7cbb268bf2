"""A model's shape from its `config.json` on the Hugging Face Hub, for models that the catalog does not have.

Bounded everywhere: ids of the right form only, five seconds, one megabyte, few at a time; results (also "there is
none")
are kept in the store; after failures in a row the Hub is left alone for a while. Off by the setting HUB.
"""

import asyncio
import json
import re
import time
from collections.abc import Mapping
from typing import Any

import aiohttp
import structlog

from bot import metrics
from bot.hub_config import INNER, arch_of, full_precision_params
from bot.store import Store, StoreUnavailable

log = structlog.get_logger(__name__)
SECONDS = 5.0
CONFIG_BYTES = 1 << 20
AT_A_TIME = 4
FAILURES = 3
REST_SECONDS = 60.0
"""After so many failures in a row the Hub is not asked for so long; twice as long each time, up to an hour."""
FRESH_DAYS = {True: 90.0, False: 1.0}
"""How long a shape, and how long "there is none", is believed."""
MODEL_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}\Z", re.ASCII)


class HubAway(Exception):
    """The Hub did not answer in time, or not sensibly."""


class Hub:
    """`shape("org/model")` → the raw shape in the words of Query.arch, or None."""

    def __init__(self, store: Store, endpoint: str | None = None) -> None:
        self.store = store
        self.endpoint = (endpoint or "https://huggingface.co").rstrip("/")
        self._failures = 0
        self._closed_until = 0.0
        self._slots = asyncio.Semaphore(AT_A_TIME)
        self._asking: dict[str, asyncio.Task[Mapping[str, Any] | None]] = {}

    async def shape(self, model: str) -> Mapping[str, Any] | None:
        """The shape of a model; None when the id is none, the model is unknown or gated, or the Hub is away. Never
        raises."""
        if not MODEL_ID.match(model) or ".." in model:
            return None
        task = self._asking.get(model.lower())
        if task is None:
            task = self._asking[model.lower()] = asyncio.create_task(self._shape(model))
            task.add_done_callback(lambda _: self._asking.pop(model.lower(), None))
        return await asyncio.shield(task)

    async def _shape(self, model: str) -> Mapping[str, Any] | None:
        try:
            kept = await self.store.hub_shape(model)
        except StoreUnavailable:
            kept = None
        if kept is not None and time.time() - kept[1] < FRESH_DAYS[kept[0] is not None] * 86_400:
            metrics.HUB.labels("kept").inc()
            return kept[0]
        if time.monotonic() < self._closed_until:
            metrics.HUB.labels("resting").inc()
            return kept[0] if kept else None
        try:
            async with asyncio.timeout(SECONDS), self._slots:
                arch = await read_shape(self.endpoint, model)
        except (HubAway, TimeoutError) as error:
            self._failed(error)
            return kept[0] if kept else None
        self._failures = 0
        metrics.HUB.labels("found" if arch else "none").inc()
        try:
            await self.store.keep_hub_shape(model, arch)
        except StoreUnavailable:
            log.warning("hub.not_kept")
        return arch

    def _failed(self, error: Exception) -> None:
        metrics.HUB.labels("failed").inc()
        self._failures += 1
        if self._failures >= FAILURES:
            rest = min(3_600.0, REST_SECONDS * 2 ** (self._failures - FAILURES))
            self._closed_until = time.monotonic() + rest
            log.warning("hub.rests", seconds=rest, error=type(error).__name__)


async def read_shape(endpoint: str, model: str) -> dict[str, Any] | None:
    """The shape of a model; None when there is none for us (unknown, gated, no config, no decoder). Raises HubAway."""
    config_url, about_url = await asyncio.to_thread(addresses, endpoint, model)
    limits = aiohttp.ClientTimeout(total=SECONDS)
    async with aiohttp.ClientSession(timeout=limits, headers={"User-Agent": "whichgpu"}) as session:
        counting = asyncio.create_task(_count(session, about_url))
        try:
            config = await _json(session, config_url)
            total = await counting
        finally:
            counting.cancel()
    arch = arch_of(config) if config is not None else None
    if arch is not None and total is not None and config is not None and not any(key in config for key in INNER):
        arch["params_total"] = total
    return arch


async def _count(session: aiohttp.ClientSession, url: str) -> int | None:
    """Parameters as the Hub counted them; None when it does not say."""
    try:
        about = await _json(session, url)
    except HubAway:
        return None
    return full_precision_params(about) if about is not None else None


def addresses(endpoint: str, model: str) -> tuple[str, str]:
    """Where a model's config.json and its parameter count are. Imports the Hub's library, which takes a moment."""
    from huggingface_hub import hf_hub_url

    return hf_hub_url(model, "config.json", endpoint=endpoint), f"{endpoint}/api/models/{model}?expand[]=safetensors"


async def _json(session: aiohttp.ClientSession, url: str) -> dict[str, Any] | None:
    """A JSON object of at most CONFIG_BYTES, None when there is none for us. Raises HubAway."""
    try:
        async with session.get(url, max_redirects=3) as response:
            if response.status in (401, 403, 404):
                return None
            if response.status != 200:
                raise HubAway(f"status {response.status}")
            body = await response.content.read(CONFIG_BYTES + 1)
            while len(body) <= CONFIG_BYTES and (piece := await response.content.read(CONFIG_BYTES + 1 - len(body))):
                body += piece
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise HubAway(type(error).__name__) from None
    try:
        found = json.loads(body) if len(body) <= CONFIG_BYTES else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None

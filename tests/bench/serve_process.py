"""`whichgpu serve` as a process to measure, and the worlds of ../shared to serve."""

import asyncio
import contextlib
import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import aiohttp
import psutil

from tests.paths import ROOT, SHARED

WORLDS = SHARED / "worlds"
MIB = 2**20
ELSEWHERE = {
    "WHICHGPU_TELEGRAM_TOKEN": "123456:test-token",
    "WHICHGPU_TELEGRAM_API_URL": "http://127.0.0.1:9/bot",
    "WHICHGPU_DISCORD_TOKEN": "test-token",
    "WHICHGPU_DISCORD_API_URL": "http://127.0.0.1:9/api/v10",
    "WHICHGPU_DISCORD_GATEWAY_URL": "ws://127.0.0.1:9/gateway",
}
"""Both platforms at an address where nobody listens: what a start costs can be measured without ../shared."""


def worlds_client() -> Any:
    """The worlds' own client module; None without ../shared."""
    if not WORLDS.exists():
        return None
    if str(WORLDS) not in sys.path:
        sys.path.insert(0, str(WORLDS))
    import client

    return client


def free_port() -> int:
    """A port that nobody listens on."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Serving:
    """A running `whichgpu serve`; its log goes to `log`."""

    def __init__(self, environment: dict[str, str], folder: Path | None = None) -> None:
        self._own = None if folder else tempfile.TemporaryDirectory(prefix="whichgpu-bench-")
        self.folder = folder or Path(self._own.name)  # type: ignore[union-attr]
        self.port = free_port()
        self.log = self.folder / "serve.log"
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("WHICHGPU_")}
        inherited.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
        self.environment = inherited | environment | {
            "WHICHGPU_STATE_DIR": str(self.folder / "state"), "WHICHGPU_HTTP_LISTEN": f"127.0.0.1:{self.port}",
            "WHICHGPU_HUB": "off", "WHICHGPU_LOG_FORMAT": "json", "MALLOC_ARENA_MAX": "2",
        }  # fmt: skip
        self.ready_seconds = self.alive_seconds = 0.0

    async def start(self, seconds: float = 60, ready: bool = True) -> None:
        """Start and wait for /readyz (or /healthz). Raises TimeoutError."""
        begun = time.monotonic()
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", "serve", cwd=ROOT, env=self.environment, stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip
        self.seen = psutil.Process(self.process.pid)
        async with aiohttp.ClientSession() as session, asyncio.timeout(seconds):
            while True:
                if self.process.returncode is not None:
                    raise RuntimeError(f"serve ended: {self.log.read_text(encoding='utf-8')[-300:]}")
                with contextlib.suppress(aiohttp.ClientError):
                    async with session.get(
                        f"http://127.0.0.1:{self.port}/{'readyz' if ready else 'healthz'}"
                    ) as answer:
                        if answer.status == 200:
                            break
                await asyncio.sleep(0.02)
        self.ready_seconds = time.monotonic() - begun

    def rss(self) -> float:
        """Resident MiB now."""
        return float(self.seen.memory_info().rss) / MIB

    def cpu(self) -> float:
        """CPU seconds so far."""
        times = self.seen.cpu_times()
        return float(times.user + times.system)

    def faults(self) -> list[str]:
        """Events that were logged as errors."""
        found = []
        for line in self.log.read_text(encoding="utf-8").splitlines():
            try:
                entry = json.loads(line)
            except ValueError:
                found.append(line[:200])
                continue
            if entry.get("level") in ("error", "critical"):
                found.append(str(entry.get("event")))
        return found

    async def stop(self) -> float:
        """SIGTERM and wait; returns the seconds that took."""
        begun = time.monotonic()
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(signal.SIGTERM)
            try:
                await asyncio.wait_for(self.process.wait(), 15)
            except TimeoutError:
                self.process.kill()
                await self.process.wait()
        return time.monotonic() - begun

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()
        if self._own is not None:
            self._own.cleanup()

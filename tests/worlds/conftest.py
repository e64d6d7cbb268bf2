"""The real `whichgpu serve` against the independent worlds of ../shared, each in a process of its own."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.paths import SHARED

WORLDS = SHARED / "worlds"
READY_SECONDS = 40.0
StartBot = Callable[..., Awaitable[asyncio.subprocess.Process]]


def client_module() -> Any:
    """The worlds' own client; a module of ../shared, not of the project."""
    if str(WORLDS) not in sys.path:
        sys.path.insert(0, str(WORLDS))
    import client

    return client


@pytest_asyncio.fixture
async def telegram() -> AsyncIterator[Any]:
    async with await client_module().TelegramClient.launch() as world:
        yield world


@pytest_asyncio.fixture
async def discord_world() -> AsyncIterator[Any]:
    async with await client_module().DiscordClient.launch() as world:
        yield world


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    return tmp_path / "bot.log"


@pytest_asyncio.fixture
async def start_bot(tmp_path: Path, log_file: Path) -> AsyncIterator[StartBot]:
    """Starts `whichgpu serve` with what a world says about itself; stopped at the end of the test."""
    running: list[asyncio.subprocess.Process] = []

    async def start(*worlds: Any, **extra: str) -> asyncio.subprocess.Process:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("WHICHGPU_")}
        for world in worlds:
            environment |= world.environment()
        environment |= {
            "WHICHGPU_STATE_DIR": str(tmp_path / "state"),
            "WHICHGPU_HTTP_LISTEN": "",
            "WHICHGPU_HUB": "off",
        }
        environment |= extra
        with log_file.open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", "serve", env=environment, stdout=log, stderr=log, start_new_session=True
            )
        running.append(process)
        return process

    yield start
    for process in running:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), 12)
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                await process.wait()

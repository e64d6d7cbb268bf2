"""Start-up and memory of `whichgpu serve`: python -m tests.bench.serve [--starts N]

Against what importing discord.py, python-telegram-bot and SQLAlchemy alone costs, each in a fresh process.
"""

import argparse
import asyncio
import contextlib
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.serve_process import ELSEWHERE, Serving, worlds_client
from tests.bench.table import Row, show

IMPORTS = "import discord, telegram.ext, sqlalchemy.ext.asyncio, aiosqlite"
PROBE = f"""
import time; begun = time.perf_counter()
{IMPORTS}
import psutil
print(time.perf_counter() - begun, psutil.Process().memory_info().rss / 2**20)
"""
TIMES_IMPORTS = 1.3
READY_SECONDS = 3.0
QUESTIONS = 100


def imports(times: int) -> tuple[float, float]:
    """Seconds and MiB of importing the three libraries: the least of several fresh processes."""
    found = []
    for _ in range(times):
        done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True)
        found.append(tuple(map(float, done.stdout.split())))
    return min(seconds for seconds, _ in found), min(mib for _, mib in found)


async def measure(starts: int) -> dict[str, Any]:
    """Starts, one after the other on the same state; then questions to the last one."""
    client = worlds_client()
    ready, rss, stops = [], [], []
    answered = 0.0
    async with contextlib.AsyncExitStack() as stack:
        environment = ELSEWHERE
        if client is not None:
            launched = [await world.launch() for world in (client.TelegramClient, client.DiscordClient)]
            worlds = [await stack.enter_async_context(world) for world in launched]
            environment = worlds[0].environment() | worlds[1].environment()
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="whichgpu-bench-")))
        for number in range(starts + 1):
            async with Serving(environment, folder) as bot:
                await bot.start(ready=client is not None)
                await asyncio.sleep(1)
                if number:  # the first one also makes the database
                    ready.append(bot.ready_seconds)
                    rss.append(bot.rss())
                if client is not None and number == starts:
                    for asker in range(QUESTIONS):  # each by somebody else: one person is limited
                        await worlds[0].ask(f"user{asker}", "13b qlora on a 3090?", timeout=20)
                    answered = bot.rss()
                stops.append(await bot.stop())
    return {"ready": ready, "rss": rss, "answered": answered, "stop": max(stops), "worlds": client is not None}


async def rows(quick: bool, starts: int = 5) -> list[Row]:
    """Cold start and memory."""
    seconds, base = imports(2 if quick else 5)
    found = await measure(2 if quick else starts)
    ratio = median(found["rss"]) / base
    what = "both worlds connected" if found["worlds"] else "alive, no platform to connect to (../shared is not here)"
    ready = median(found["ready"])
    start, size = f"{ready:.2f} s (least {min(found['ready']):.2f})", f"{median(found['rss']):.0f} MiB = {ratio:.2f} x"
    result = [
        Row("importing discord.py + python-telegram-bot + SQLAlchemy", f"{seconds:.2f} s, {base:.0f} MiB"),
        Row(f"`serve` until ready: {what}", start, f"< {READY_SECONDS:.0f} s", ready < READY_SECONDS),
        Row("memory of `serve` when ready", size, f"<= {TIMES_IMPORTS} x", ratio <= TIMES_IMPORTS),
    ]
    if found["answered"]:
        times = found["answered"] / base
        result.append(Row(f"the same after {QUESTIONS} questions", f"{found['answered']:.0f} MiB = {times:.2f} x"))
    return [*result, Row("SIGTERM until it is gone", f"{found['stop']:.2f} s", "<= 10 s", found["stop"] <= 10)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=5)
    show(asyncio.run(rows(False, parser.parse_args().starts)))

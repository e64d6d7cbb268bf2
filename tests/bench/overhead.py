"""What we add to the platforms' libraries: ../shared/worlds/bench.py with its echo bots as the baseline, as rows."""

import asyncio
import json
import os
import shlex
import sys

from tests.bench.serve_process import WORLDS
from tests.bench.table import Row
from tests.paths import ROOT


async def rows(quick: bool) -> list[Row]:
    """CPU per event, events a second, p50 and memory, each against the echo bot in the same run."""
    if not WORLDS.exists():
        return [Row("platform overhead", "not measured: ../shared is not here")]
    size = (
        ["--events", "60", "--rounds", "1", "--single", "20"]
        if quick
        else ["--events", "200", "--rounds", "3", "--single", "60"]
    )
    bot = shlex.join([sys.executable, "-m", "bot", "serve"])
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(WORLDS / "bench.py"), "--bot-command", bot, "--bot-env", "WHICHGPU_HTTP_LISTEN=", *size,
        "--bot-env", "WHICHGPU_HUB=off", stdout=asyncio.subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    output, _ = await process.communicate()
    found = []
    for name, entry in json.loads(output)["scenarios"].items():
        if "ratio" not in entry:
            found.append(Row(f"against the echo bot: {name}", str(entry.get("bot", entry))[:160]))
            continue
        ours, ratio = entry["bot"], entry["ratio"]
        figures = (
            f"CPU {ours['cpu_ms_per_event']:.2f} ms an event = {ratio['cpu_per_event']:.2f} x",
            f"{ours['events_per_s']:.0f} events/s = {ratio['events_per_s']:.2f} x",
            f"p50 {ours['one_event_ms'].get('p50', 0)} ms = {ratio['p50']:.2f} x",
            f"{ours['rss_mib']:.0f} MiB = {ratio['rss']:.2f} x",
        )
        complete = ours["answered"] == ours["sent"] and not ours["violations"]
        found.append(Row(f"against the echo bot: {name}", ", ".join(figures), "all answered, no violation", complete))
    return found

"""`whichgpu serve` under a steady load on both platforms: python -m tests.bench.soak [--minutes 10] [--rate 20]

Sends `rate` questions a second to each platform's world of ../shared, watches memory, errors and answers. Memory is
judged from the end of a warm-up on, when caches and pools have their size.
"""

import argparse
import asyncio
import contextlib
import time
from dataclasses import dataclass, field
from typing import Any

from tests.bench.serve_process import Serving, worlds_client
from tests.bench.table import Row, percentile, show

RATE = 20.0
"""Questions a second on each platform."""
WARM_SHARE = 0.2
GROWTH = 1.05
LAST_SECONDS = 30.0
TEXTS = [
    "Which GPU do I need for a 13b qlora?", "Can I fine-tune Llama 3 8B on a 12 GB card?", "7b full finetune memory?",
    "3090 or 4090 for lora on 70b?", "How much VRAM for mistral 7b lora with 8k context?", "was ist QLoRA?",
    "reicht eine 3060 12GB für qlora mit 7b und 4k?", "CUDA out of memory, llama 3 8b, batch 4, rtx 4080",
    "rent an A100 or buy a 4090?", "how long does qlora of 8b take on a 3090 with 10k examples?",
]  # fmt: skip
SLASH = ("whichgpu", "question")


@dataclass
class Watch:
    """What was seen of the process."""

    at: list[float] = field(default_factory=list)
    rss: list[float] = field(default_factory=list)

    def level(self, first: float, last: float) -> float:
        """The median of memory between two shares of the time."""
        seen = self.rss[int(len(self.rss) * first) : max(1, int(len(self.rss) * last))]
        return percentile(seen, 0.5)


async def watch(bot: Serving, seen: Watch) -> None:
    """Note the memory every second until cancelled."""
    while True:
        seen.at.append(time.monotonic())
        seen.rss.append(bot.rss())
        await asyncio.sleep(1)


def varied(texts: list[str]) -> list[str]:
    """More texts than any cache holds, so that answers are thought through and not remembered."""
    return [f"{text} {1024 + 32 * number} tokens" for number in range(60) for text in texts]


async def send(load: Any, rate: float, seconds: float) -> None:
    """A steady load; reads what came back at the same time."""
    begun, sent = time.monotonic(), 0
    while (now := time.monotonic() - begun) < seconds:
        due = int(now * rate) + 1 - sent
        if due > 0:
            await load.send(due)
            sent += due
        await load.collect(0.05)
        await asyncio.sleep(0.05)
    await load.until(sent, LAST_SECONDS, LAST_SECONDS)


async def soak(minutes: float, rate: float) -> tuple[list[Any], Watch, list[str], list[Any], float]:
    """The loads after the run, memory, errors in the log, violations, CPU seconds."""
    client = worlds_client()
    from botproc import Load  # a module of ../shared

    async with contextlib.AsyncExitStack() as stack:
        telegram = await stack.enter_async_context(await client.TelegramClient.launch())
        discord = await stack.enter_async_context(await client.DiscordClient.launch())
        await discord.guild("bench", [f"c{number}" for number in range(50)])
        bot = await stack.enter_async_context(Serving(telegram.environment() | discord.environment()))
        await bot.start()
        await discord.commands(SLASH[0], 20)
        seen = Watch()
        watching = asyncio.create_task(watch(bot, seen))
        loads = [Load(telegram, "telegram", varied(TEXTS)), Load(discord, "slash", varied(TEXTS), SLASH)]
        await asyncio.gather(*(send(load, rate, minutes * 60) for load in loads))
        watching.cancel()
        violations = [*await telegram.violations(), *await discord.violations()]
        return loads, seen, bot.faults(), violations, bot.cpu()


async def rows(quick: bool, minutes: float | None = None, rate: float = RATE) -> list[Row]:
    """One run, as rows."""
    if worlds_client() is None:
        return [Row("soak", "not measured: ../shared is not here")]
    minutes = minutes or (0.5 if quick else 1.0)
    loads, seen, faults, violations, cpu = await soak(minutes, rate)
    found = []
    for load in loads:
        sent, answered = len(load.asked), len(load.answers)
        p50, p99 = (percentile(list(load.latency.values()), share) * 1000 for share in (0.5, 0.99))
        figure = f"{answered} of {sent} answered, p50 {p50:.0f} ms, p99 {p99:.0f} ms"
        found.append(Row(f"{rate:.0f} questions/s for {minutes:g} min: {load.way}", figure, "all", answered == sent))
    warm, end = seen.level(WARM_SHARE, WARM_SHARE + 0.1), seen.level(0.9, 1)
    growth = end / warm if warm else 0.0
    memory = f"{warm:.0f} -> {end:.0f} MiB = {growth:.3f} x"
    examples = f"{sorted(set(faults))[:3]}" if faults else ""
    broken = f"{violations[0]}"[:120] if violations else ""
    cpu_ms = cpu / max(1, sum(len(load.asked) for load in loads)) * 1000
    return [
        *found,
        Row("memory from warm to the end", memory, f"<= {GROWTH} x", growth <= GROWTH),
        Row("errors in the log", f"{len(faults)} {examples}", "0", not faults),
        Row("violations of the platforms' rules", f"{len(violations)} {broken}", "0", not violations),
        Row("CPU a question", f"{cpu_ms:.1f} ms"),
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--rate", type=float, default=RATE)
    given = parser.parse_args()
    show(asyncio.run(rows(False, given.minutes, given.rate)))

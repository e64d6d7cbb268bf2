"""A process that answers events from a shared database, for the tests that kill it: no platform, no network.

`python -m tests.bot.runtime.worker ADDRESS FILE SECONDS`: each answer takes SECONDS and appends a line to FILE.
"""

import asyncio
import os
import sys

from bot.inbox import Event, Inbox, Work
from bot.store import Store


class Writer:
    """Answers by writing the event's id to a file, as a platform would get a message."""

    concurrency = 4

    def __init__(self, file: str, seconds: float) -> None:
        self.file = file
        self.seconds = seconds

    async def handle(self, event: Event, work: Work) -> None:
        """Think, say, mark."""
        await asyncio.sleep(self.seconds)
        with open(self.file, "a", encoding="utf-8") as file:  # noqa: ASYNC230 - one short line
            file.write(f"{event.event_id} {event.chat} {os.getpid()}\n")
        await work.done()


async def main(address: str, file: str, seconds: str) -> None:
    """Until killed."""
    store = await Store.open(address)
    inbox = Inbox(store, backlog=24)
    inbox.start({"test": Writer(file, float(seconds))})
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

"""Rights that one process has at a time, e.g. to poll; each ends by itself unless it is renewed."""

import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from bot.store import tables as t
from bot.store.owner import is_dead
from bot.store.writer import Step

if TYPE_CHECKING:
    from bot.store.store import Store


class Leases:
    """Of one store."""

    def __init__(self, store: "Store") -> None:
        self._store = store

    async def take(self, name: str, owner: str, seconds: float) -> bool:
        """Take or renew the right to do what only one process may do, e.g. to poll; False when another has it.

        A holder that is certainly dead (same host) loses it at once, others when their time is over.
        """
        now = time.time()
        values = {"name": name, "owner": owner, "until": now + seconds, "now": now}

        async def once(connection: Any) -> bool:
            if (await connection.execute(self._store.say.lease, values)).first() is not None:
                return True
            holder = await connection.scalar(select(t.leases.c.owner).where(t.leases.c.name == name))
            if holder is None or not is_dead(holder, owner):
                return False
            await connection.execute(t.leases.delete().where(t.leases.c.name == name, t.leases.c.owner == holder))
            return (await connection.execute(self._store.say.lease, values)).first() is not None

        (taken,) = await self._store.write(Step(once))
        return bool(taken)

    async def give_up(self, name: str, owner: str) -> None:
        """Let another process have it at once."""
        gone = t.leases.delete().where(t.leases.c.name == name, t.leases.c.owner == owner)
        await self._store.write(Step(lambda connection: connection.execute(gone)))

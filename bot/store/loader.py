"""Look-ups of many tasks, gathered into one query: while one runs, the next one fills."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Loader(Generic[Key, Value]):
    """`fetch` gets a list of keys and returns what it found; an absent key gives None."""

    def __init__(self, fetch: Callable[[list[Key]], Awaitable[dict[Key, Value]]], most: int = 200) -> None:
        self._fetch = fetch
        self._most = most
        self._waiting: dict[Key, asyncio.Future[Value | None]] = {}
        self._asking: dict[Key, asyncio.Future[Value | None]] = {}
        self._task: asyncio.Task[None] | None = None

    async def get(self, key: Key) -> Value | None:
        """The value of one key; raises what `fetch` raises."""
        return await asyncio.shield(self.prepare(key))

    def prepare(self, key: Key) -> "asyncio.Future[Value | None]":
        """Begin to look a key up."""
        future = self._waiting.get(key) or self._asking.get(key)
        if future is None:
            future = self._waiting[key] = asyncio.get_running_loop().create_future()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        return future

    async def _run(self) -> None:
        while self._waiting:
            keys = list(self._waiting)[: self._most]
            futures = self._asking = {key: self._waiting.pop(key) for key in keys}
            try:
                found = await self._fetch(keys)
            except Exception as error:
                for future in futures.values():
                    future.set_exception(error)
                    future.exception()  # seen: a caller may have been cancelled
            else:
                for key, future in futures.items():
                    future.set_result(found.get(key))
            self._asking = {}


class Recent(Generic[Key, Value]):
    """The last `most` values used: a small cache. `size` 0 keeps nothing."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Key, Value] = OrderedDict()

    def __contains__(self, key: Key) -> bool:
        return key in self._values

    def __getitem__(self, key: Key) -> Value:
        self._values.move_to_end(key)
        return self._values[key]

    def __setitem__(self, key: Key, value: Value) -> None:
        self._values[key] = value
        self._values.move_to_end(key)
        while len(self._values) > self._most:
            self._values.popitem(last=False)

    def setdefault(self, key: Key, value: Value) -> Value:
        """The value that is there, else this one."""
        if key not in self._values:
            self[key] = value
        return self._values.get(key, value)

    def pop(self, key: Key) -> None:
        """Forget one."""
        self._values.pop(key, None)

    def clear(self) -> None:
        """Forget all."""
        self._values.clear()

import asyncio
from typing import Any

import pytest

from bot import lanes as lanes_module
from bot.lanes import Lanes, Pause
from bot.turns import Turns
from bot.work import Event
from tests.bot.runtime.conftest import until


class Handler:
    concurrency = 2

    async def handle(self, event: Event, work: Any) -> None:
        """Not called: the tests handle by themselves."""


def event(number: int, chat: str, lane: str = "") -> Event:
    return Event("test", str(number), chat, {}, 0.0, lane=lane)


async def test_a_fault_of_ours_neither_loses_the_event_nor_stops_its_lane(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes_module, "AFTER_FAULT_SECONDS", 0.01)
    seen: list[str] = []

    async def handle(handler: Any, happened: Event, again: bool) -> Pause | None:
        if happened.event_id == "1" and not again:
            raise KeyError("a fault of ours")
        seen.append(happened.event_id)
        return None

    lanes = Lanes(handle, 4)
    lanes.start({"test": Handler()})
    lanes.add([(event(1, "a"), False), (event(2, "a"), False)])
    await until(lambda: len(seen) == 2)
    assert seen == ["2", "1"]
    assert await lanes.stop(1) == 0


async def test_a_lane_of_its_own_does_not_wait_for_the_chat() -> None:
    seen: list[str] = []
    go = asyncio.Event()

    async def handle(handler: Any, happened: Event, again: bool) -> Pause | None:
        if happened.event_id == "1":
            await go.wait()
        seen.append(happened.event_id)
        return None

    lanes = Lanes(handle, 4)
    lanes.start({"test": Handler()})
    lanes.add([(event(1, "a"), False), (event(2, "a"), False), (event(3, "a", lane="inline"), False)])
    await until(lambda: seen == ["3"])
    go.set()
    await until(lambda: seen == ["3", "1", "2"])


async def test_one_turn_after_the_other_unless_the_network_is_slow() -> None:
    turns = Turns(patience=0.05)
    going: list[int] = []
    most = 0

    async def send(number: int, seconds: float) -> None:
        nonlocal most
        async with turns("telegram"):
            going.append(number)
            most = max(most, len(going))
            await asyncio.sleep(seconds)
            going.remove(number)

    await asyncio.gather(*(send(n, 0.001) for n in range(20)))
    assert most == 1
    await asyncio.gather(*(send(n, 0.2) for n in range(3)))
    assert most > 1


async def test_a_turn_that_fails_lets_the_next_one_go() -> None:
    turns = Turns(patience=60)
    with pytest.raises(ValueError, match="no"):
        async with turns("telegram"):
            raise ValueError("no")
    async with asyncio.timeout(5), turns("telegram"):
        pass


async def test_a_waiter_that_gives_up_does_not_keep_the_turn() -> None:
    turns = Turns(patience=60)
    seen: list[Any] = []
    go = asyncio.Event()

    async def send(name: str) -> None:
        async with turns("telegram"):
            seen.append(name)
            await go.wait()

    first, second, third = (asyncio.create_task(send(name)) for name in ("first", "second", "third"))
    await until(lambda: seen == ["first"])
    second.cancel()
    go.set()
    await until(lambda: seen == ["first", "third"])
    await asyncio.gather(first, second, third, return_exceptions=True)

    go.clear()
    first, second, third = (asyncio.create_task(send(name)) for name in ("first", "second", "third"))
    await until(lambda: len(seen) == 3)
    go.set()
    await first
    second.cancel()  # just as it was given the turn
    await until(lambda: seen[3:] in (["third"], ["second", "third"]))
    await asyncio.gather(second, third, return_exceptions=True)


async def test_turns_are_first_come_first_served() -> None:
    turns = Turns(patience=60)
    seen: list[Any] = []

    async def send(number: int) -> None:
        async with turns("telegram"):
            await asyncio.sleep(0)
            seen.append(number)

    await asyncio.gather(*(send(n) for n in range(50)))
    assert seen == list(range(50))

"""Several processes on one PostgreSQL: one is on the gateway."""

import asyncio
from typing import Any

import pytest

from bot.adapters.discord import adapter as module


async def test_one_process_is_on_the_gateway(running: Any, simcord_bot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    adapter, store = running.adapter, running.store
    monkeypatch.setattr(module, "LEASE_SECONDS", 0.06)
    answers = [False, False, True, True, False]
    asked: list[str] = []

    async def take(name: str, owner: str, seconds: float) -> bool:
        asked.append(name)
        return answers[len(asked) - 1]

    monkeypatch.setattr(store, "alone", False)
    monkeypatch.setattr(store.leases, "take", take)
    async with adapter.turn() as lost:
        assert len(asked) == 3
        assert adapter.ready
        await asyncio.wait_for(lost, 5)
    assert len(asked) == 5
    assert set(asked) == {module.LEASE}


async def test_with_shards_of_its_own_nobody_waits(
    running: Any, simcord_bot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = running.settings.model_copy(update={"discord_shards": 2, "discord_shard_ids": (1,)})
    monkeypatch.setattr(running.store, "alone", False)
    object.__setattr__(running.adapter.services, "settings", settings)
    async with running.adapter.turn() as lost:
        assert not lost.done()

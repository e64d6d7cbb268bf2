"""Late, double and failed acknowledgements; deferrals; restarts in the middle of an answer."""

import asyncio
from typing import Any

import pytest

from bot.adapters.base import StoreUnavailable
from bot.adapters.discord.calls import LATER, LATER_UPDATE
from bot.messages import Question
from tests.bot.discord.conftest import answers_in, kinds_of_answers, text_of


@pytest.fixture
def slow(running: Any, simcord_env: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes answers take so many seconds of SimCord's time."""

    def make(seconds: float) -> None:
        running.waits = False
        desk = running.adapter.services.desk
        answer = desk.answer

        async def after_a_while(question: Question, *args: Any, **kwargs: Any) -> Any:
            await asyncio.sleep(seconds)
            return await answer(question, *args, **kwargs)

        monkeypatch.setattr(desk, "answer", after_a_while)

    return make


async def test_what_takes_longer_is_deferred_after_a_second(place: Any, slow: Any, simcord_env: Any) -> None:
    _, channel, ann, _ = place
    slow(2.5)
    result = await ann.slash(channel, "whichgpu", question="13b qlora")
    await simcord_env.advance_time(2)
    assert kinds_of_answers(simcord_env) == [LATER]
    assert result.ephemeral
    assert "GiB" in text_of(result.response)


async def test_a_slow_press_is_deferred_too(place: Any, slow: Any, simcord_env: Any) -> None:
    _, channel, ann, _ = place
    first = (await ann.slash(channel, "whichgpu", question="13b qlora on a 3090")).response
    slow(2.5)
    select = next(part for row in first.components[0]["components"] for part in row.get("components", [])
                  if str(part.get("custom_id")).endswith("|?method"))  # fmt: skip
    pressed = await ann.select(first, ["method=lora"], custom_id=select["custom_id"])
    await simcord_env.advance_time(2)
    assert kinds_of_answers(simcord_env)[-1] == LATER_UPDATE
    assert "LoRA" in text_of(pressed.response)


async def test_too_late_is_no_error(place: Any, simcord_env: Any, running: Any) -> None:
    _, channel, ann, _ = place
    simcord_env.inject_error("POST", "/interactions/*", status=404, code=10062, message="Unknown interaction")
    result = await ann.slash(channel, "whichgpu", question="13b qlora")
    assert not result.acknowledged
    assert running.inbox.busy == 0
    assert (await ann.slash(channel, "whichgpu", question="13b qlora")).acknowledged


async def test_acknowledged_already_is_filled(place: Any, simcord_env: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection broke after Discord had taken the answer: asked again, it says that it has one."""
    _, channel, ann, _ = place
    calls = simcord_env.bot.listener.adapter.calls
    respond = calls.respond

    async def twice(*args: Any, **kwargs: Any) -> None:
        await respond(*args, **kwargs)
        await respond(*args, **kwargs)

    monkeypatch.setattr(calls, "respond", twice)
    result = await ann.slash(channel, "whichgpu", question="13b qlora")
    assert "GiB" in text_of(result.response)
    assert len(result.followups) == 0


async def test_a_backlog_is_deferred_at_once(
    place: Any, simcord_env: Any, monkeypatch: pytest.MonkeyPatch, running: Any
) -> None:
    _, channel, ann, _ = place
    monkeypatch.setattr(running.adapter.receipts, "_direct", 0)
    result = await ann.slash(channel, "whichgpu", question="13b qlora")
    assert kinds_of_answers(simcord_env) == [LATER]
    assert result.ephemeral
    assert "GiB" in text_of(result.response)


async def test_another_process_finishes_what_was_deferred(
    place: Any, simcord_env: Any, monkeypatch: pytest.MonkeyPatch, running: Any
) -> None:
    _, channel, ann, _ = place
    monkeypatch.setattr(running.adapter.receipts, "_direct", 0)

    running.waits = False

    async def never(*_: Any, **__: Any) -> None:
        raise RuntimeError("killed here")

    monkeypatch.setattr(running.adapter.asks, "answer", never)
    result = await ann.slash(channel, "whichgpu", question="13b qlora")
    assert result.deferred
    assert result.response is None or "GiB" not in text_of(result.response)
    await running.stop()
    await simcord_env.restart_bot(await running.start())
    for _ in range(40):
        if result.response is not None and "GiB" in text_of(result.response):
            break
        await asyncio.sleep(0.05)
        await simcord_env.settle()
    assert "GiB" in text_of(result.response)


async def test_without_a_database_people_are_answered_all_the_same(
    place: Any, simcord_env: Any, monkeypatch: pytest.MonkeyPatch, running: Any
) -> None:
    _, channel, ann, _ = place

    async def away(*_: Any) -> int:
        raise StoreUnavailable("gone")

    monkeypatch.setattr(running.inbox, "put", away)
    result = await ann.slash(channel, "whichgpu", question="13b qlora")
    assert "GiB" in text_of(result.response)


async def test_refused_twice_becomes_an_apology(place: Any, simcord_env: Any) -> None:
    _, channel, ann, _ = place
    simcord_env.inject_error("POST", "/interactions/*", status=400, code=50035, times=2)
    result = await ann.slash(channel, "whichgpu", question="13b qlora")
    assert "wrong" in text_of(result.response)


async def test_what_was_missed_is_answered_once(place: Any, simcord_env: Any, running: Any) -> None:
    _, channel, ann, _ = place
    env = simcord_env
    await ann.send(channel, f"{env.bot.user.mention} 13b qlora")
    await running.stop()
    detached = env.backend.subscribers.copy()
    env.backend.subscribers.clear()  # nobody listens
    env.backend.create_message(channel.id, ann.id, f"<@{env.bot.user.id}> 70b qlora")
    env.backend.create_message(channel.id, ann.id, "70b qlora, says nobody to nobody")
    env.backend.subscribers.extend(detached)
    await env.restart_bot(await running.start())
    for _ in range(60):
        if len(answers_in(channel)) > 1:
            break
        await asyncio.sleep(0.05)
        await env.settle()
    assert len(answers_in(channel)) == 2
    assert "70B" in text_of(answers_in(channel)[-1])

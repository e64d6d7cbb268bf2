"""An answer in several messages: changed as a whole, whatever is in the way, and deleted as a whole."""

import time
from typing import Any

import pytest
from telegram.error import BadRequest, RetryAfter

from bot.adapters.telegram.answers import Answers, Ready
from bot.adapters.telegram.keyboard import keyboard
from bot.adapters.telegram.letters import Place
from bot.adapters.telegram.updates import Incoming
from bot.messages import Button, Reply, Table, Text
from bot.work import Event, RetryLater, Work
from tests.bot.telegram.conftest import World

pytestmark = pytest.mark.filterwarnings("ignore:Deprecated since version v22.2")  # how retry_after will be typed
CHAT, QUESTION = 7, 3
HEARD = Incoming("edited", user_id=7, chat_id=CHAT, private=True, message_id=QUESTION)
PRESSED = (Button(label="why", change="show=why"),)


def reply(*parts: str) -> Reply:
    """A reply that needs so many messages, each beginning with its word."""
    return Reply(blocks=tuple(Text(markdown=f"{part} " + "word " * 780) for part in parts), buttons=PRESSED)


async def say(world: World, said: Reply, earlier: tuple[int, ...] = (), work: Work | None = None) -> Work:
    """As Talk does it; returns the work that a second try would get."""
    answers = Answers(world.services, world.calls)
    if work is None:
        event = Event("telegram", str(time.monotonic()), str(CHAT), {}, time.time(), "7")
        work = Work(world.inbox, event, late=False, again=False)
    ready = work.kept or Ready(said, (), QUESTION, "7", earlier)
    work.keep(ready)
    await answers.say(HEARD, Place(CHAT), ready, work)
    return work


def sent(world: World) -> list[tuple[str, int, str]]:
    """Method, message and first word of each call since the last look, but for deletions."""
    got, world.server.got = world.server.got, []
    world.gone = [body["message_id"] for method, body in got if method == "deleteMessage"]
    return [
        (method, body.get("message_id", 0), body["text"].split()[0])
        for method, body in got
        if method != "deleteMessage"
    ]


async def messages(world: World) -> tuple[int, ...]:
    return await Answers(world.services, world.calls).to(CHAT, QUESTION)


async def test_an_edit_changes_all_messages_of_an_answer(world: World) -> None:
    await say(world, reply("a", "b"))
    assert await messages(world) == (101, 102)
    sent(world)
    await say(world, reply("c", "d"), await messages(world))
    assert sent(world) == [("editMessageText", 101, "c"), ("editMessageText", 102, "d")]
    assert await messages(world) == (101, 102)


async def test_the_buttons_move_to_the_last_message(world: World) -> None:
    await say(world, reply("a"))
    world.server.got = []
    await say(world, reply("c", "d"), (101,))
    first, last = (body for _, body in world.server.got)
    assert "reply_markup" not in first
    assert last["reply_markup"]["inline_keyboard"]


async def test_a_longer_answer_goes_on_below(world: World) -> None:
    await say(world, reply("a"))
    sent(world)
    world.server.says = [True, {"message_id": 150}]
    await say(world, reply("c", "d"), await messages(world))
    assert sent(world) == [("editMessageText", 101, "c"), ("sendMessage", 0, "d")]
    assert await messages(world) == (101, 150)


async def test_of_a_shorter_answer_nothing_old_is_left(world: World) -> None:
    await say(world, reply("a", "b", "c"))
    sent(world)
    await say(world, reply("d"), await messages(world))
    assert sent(world) == [("editMessageText", 101, "d")]
    assert world.gone == [102, 103]
    assert await messages(world) == (101,)


async def test_one_rich_message_takes_the_place_of_several(world: World) -> None:
    await say(world, reply("a", "b"))
    world.calls.rich = True
    world.server.got = []
    table = Reply(blocks=(Table(header=("card", "GB"), rows=(("3090", "24"),)),))
    await say(world, table, await messages(world))
    (method, body), (then, gone) = world.server.got
    assert (method, body["message_id"]) == ("editMessageText", 101)
    assert "rich_message" in body
    assert (then, gone["message_id"]) == ("deleteMessage", 102)
    assert await messages(world) == (101,)


async def test_after_a_crash_what_is_as_wanted_is_let_be(world: World) -> None:
    same = BadRequest("Message is not modified: specified new message content is the same")
    for parts in (("a",), ("a", "b")):
        await say(world, reply(*parts))
        earlier = await messages(world)
        sent(world)
        world.server.says = [same, same]
        await say(world, reply(*parts), earlier)
        assert [method for method, *_ in sent(world)] == ["editMessageText"] * len(parts)
        world.server.says = []


async def test_when_one_message_is_gone_all_is_said_anew(world: World) -> None:
    await say(world, reply("a", "b"))
    sent(world)
    gone = BadRequest("message to edit not found")
    world.server.says = [True, gone, True, True, {"message_id": 201}, {"message_id": 202}]
    await say(world, reply("c", "d"), await messages(world))
    assert [one for one in sent(world) if one[0] == "sendMessage"] == [("sendMessage", 0, "c"), ("sendMessage", 0, "d")]
    assert world.gone == [101, 102]
    assert await messages(world) == (201, 202)


async def test_told_to_wait_it_goes_on_where_it_was(world: World) -> None:
    await say(world, reply("a", "b"))
    sent(world)
    event = Event("telegram", "e", str(CHAT), {}, time.time(), "7")
    work = Work(world.inbox, event, late=False, again=False)
    for fault in ([True, RetryAfter(9)], [True, RetryAfter(9)]):
        world.server.says = fault
        with pytest.raises(RetryLater):
            await say(world, reply("c", "d", "e"), (101, 102), work)
        work = Work(world.inbox, event, late=False, again=True)
    world.server.says = [{"message_id": 160}]
    await say(world, reply("c", "d", "e"), (101, 102), work)
    done = [(method, word) for method, _, word in sent(world)]
    edits = [("editMessageText", "c"), ("editMessageText", "d"), ("editMessageText", "d")]
    assert done == [*edits, ("sendMessage", "e"), ("sendMessage", "e")]
    assert await messages(world) == (101, 102, 160)


async def test_a_press_below_several_messages_changes_and_deletes_all(world: World) -> None:
    given: Any = await world.say("13b qlora on a 3090")
    data = given[1]["reply_markup"]["inline_keyboard"][0][0]["callback_data"]
    whole = reply("a", "b").model_copy(update={"state": data.split("|")[1]})
    await say(world, whole)
    first, last = await messages(world)
    sent(world)
    why = next(key["callback_data"] for row in keyboard(whole, ()) for key in row if "why" in key["callback_data"])
    await world.press(why, on=last)
    assert sent(world)[0][:2] == ("editMessageText", first)
    assert world.gone == [last]
    assert await messages(world) == (first,)
    await say(world, whole)
    several = await messages(world)
    sent(world)
    await world.press("en||!del", on=several[-1])
    assert not sent(world)
    assert world.gone == [*several]
    assert await messages(world) == ()

"""Messages and presses, without a network: what is said to what, and what only admins may do."""

from typing import Any

import pytest
from telegram.error import RetryAfter

from bot.adapters.telegram.commands import start_payload, start_text
from bot.work import RetryLater
from tests.bot.telegram.conftest import BOT_ID, World

pytestmark = pytest.mark.filterwarnings("ignore:Deprecated since version v22.2")  # how retry_after will be typed


def keys(sent: Any) -> dict[str, str]:
    """Label → callback_data of what was sent."""
    rows = sent[1].get("reply_markup", {}).get("inline_keyboard", [])
    return {key["text"]: key["callback_data"] for row in rows for key in row}


async def test_an_answer_has_its_picture_and_in_groups_feedback(world: World) -> None:
    alone = await world.say("13b qlora on a 3090")
    assert "GiB" in alone[1]["text"]
    assert "📊 Picture" in keys(alone)
    assert "👍" not in keys(alone)
    here = await world.say("@whichgpu_bot 13b qlora on a 3090", group=True, entities=_mention())
    assert [key["text"] for key in here[1]["reply_markup"]["inline_keyboard"][-1]] == ["📊", "👍", "👎", "🗑 Delete"]
    sent = await world.press(keys(here)["QLoRA ▾"], group=True)
    assert sent[0] == "editMessageReplyMarkup"
    assert {"LoRA", "📊", "🗑 Delete"} <= keys(sent).keys()


async def test_a_reply_to_an_answer_goes_on_from_it_whoever_asked(world: World) -> None:
    first = await world.say("@whichgpu_bot 13b qlora on a 3090", user=7, group=True, entities=_mention())
    ours = {"message_id": 50, "from": {"id": BOT_ID}, "reply_markup": first[1]["reply_markup"]}
    sent = await world.say("and with 8k context?", user=8, group=True, reply_to_message=ours)
    assert "8k tokens" in sent[1]["text"]
    assert "13B" in sent[1]["text"]


async def test_only_the_name_as_a_reply_asks_for_what_was_said_there(world: World) -> None:
    theirs = {"message_id": 2, "from": {"id": 8}, "text": "which gpu for 70b qlora?"}
    for text, entities in (("@WhichGPU_bot", _mention()), ("/whichgpu@whichgpu_bot", [])):
        sent = await world.say(text, group=True, entities=entities, reply_to_message=theirs)
        assert "70B" in sent[1]["text"]
    ours = {"message_id": 50, "from": {"id": BOT_ID}, "text": "70B with QLoRA: about 40 GiB"}
    sent = await world.say("/whichgpu@whichgpu_bot", group=True, reply_to_message=ours)
    assert "70B" not in sent[1]["text"]


async def test_settings_are_what_telegram_calls_them(world: World) -> None:
    assert list(keys(await world.say("/settings"))) == ["English", "Deutsch"]
    assert len(keys(await world.say("/settings@whichgpu_bot", group=True))) == 3


async def test_a_question_travels_in_a_deep_link(world: World) -> None:
    assert start_text(start_payload(" 13b qlora für 3090? ")) == "13b qlora für 3090?"
    assert start_payload("x" * 60) == "w-"
    sent = await world.say(f"/start {start_payload('13b qlora')}")
    assert "13B" in sent[1]["text"]
    assert (await world.say("/start w-"))[1]["text"] == (await world.say("/start"))[1]["text"]


async def test_what_had_to_wait_is_not_thought_out_again(world: World) -> None:
    await world.say("13b qlora on a 3090")
    world.server.says = [RetryAfter(30)]
    with pytest.raises(RetryLater):
        await world.say("and for 70b?")
    first = world.server.got[-1][1]["text"]
    assert world.event is not None
    sent = await world.again()
    assert sent[1]["text"] == first
    assert "70B" in first


@pytest.mark.parametrize("kind", ["photo", "voice", "video"])
async def test_what_cannot_be_read_is_said_so(world: World, kind: str) -> None:
    what: dict[str, Any] = {kind: [{"file_id": "x"}]}
    sent = await world.say(**what)
    assert ".log" in sent[1]["text"]
    assert await world.say(group=True, **what) is None


async def test_a_file_is_read_as_a_question(world: World) -> None:
    world.bot.files["f"] = b"base_model: meta-llama/Llama-3.1-8B\nadapter: qlora\nsequence_len: 4096\n"
    document = {"file_id": "f", "file_name": "axolotl.yaml", "file_size": 60}
    sent = await world.say(document=document, caption="fits on a 3060?")
    assert "8B" in sent[1]["text"]
    assert "4,096" in sent[1]["text"]
    assert "3060" in sent[1]["text"]
    sent = await world.say(document={**document, "file_name": "weights.safetensors"})
    assert ".log" in sent[1]["text"]


async def test_an_edit_at_once_edits_the_answer(world: World) -> None:
    await world.say("7b qlora")
    said = len(world.server.got)
    assert world.event is not None
    body = {**world.event.payload.pop("message"), "text": "70b qlora", "edit_date": 1}
    world.event.payload["edited_message"] = body
    world.event.kept = None  # another event
    method, edited = await world.again()
    assert (method, edited["message_id"]) == ("editMessageText", 100 + said)
    assert "70B" in edited["text"]


async def test_stickers_and_notices_of_telegram_need_no_answer(world: World) -> None:
    assert await world.say(sticker={"file_id": "x"}) is None
    assert await world.say(pinned_message={"message_id": 1}) is None


async def test_the_language_is_chosen_by_a_key(world: World) -> None:
    sent = await world.say("/language")
    assert list(keys(sent)) == ["English", "Deutsch"]
    method, body = await world.press(keys(sent)["Deutsch"])
    assert (method, body["text"]) == ("editMessageText", "Ab jetzt antworte ich dir auf Deutsch.")
    assert "reply_markup" not in body
    assert "braucht" in (await world.say("13b qlora"))[1]["text"]
    assert await world.press("en||!lang=xx")  # not one of ours: nothing changes
    assert "braucht" in (await world.say("13b qlora"))[1]["text"]


async def test_only_who_asked_and_admins_delete_an_answer(world: World) -> None:
    assert await world.press("en||!del", user=8, group=True, asker=7) is None
    assert world.bot.alerts == ["Only the person who asked, or a moderator, can do that."]
    for user, admins in ((7, set[int]()), (8, {8})):
        world.bot.admins = admins
        method, body = await world.press("en||!del", user=user, group=True, asker=7)
        assert (method, body["message_id"]) == ("deleteMessage", 50)


async def test_only_admins_decide_when_the_bot_speaks(world: World) -> None:
    sent = await world.say("/setup@whichgpu_bot", group=True)
    assert len(keys(sent)) == 3
    sure = next(data for data in keys(sent).values() if data.endswith("sure"))
    assert await world.press(sure, group=True) is None
    assert world.bot.alerts == ["Only admins of this chat can change that."]
    assert await world.store.channel("telegram", "-100") == {}
    world.bot.admins = {7}
    method, body = await world.press(sure, group=True)
    assert (method, body["text"]) == (
        "editMessageText",
        "Done. In this chat I now speak unasked too, when I am sure.",
    )
    assert await world.store.channel("telegram", "-100") == {"mode": "sure"}
    assert "GiB" in (await world.say("can I fine-tune llama 3.1 8b with qlora on a 3060 12gb?", group=True))[1]["text"]
    assert await world.say("pizza anyone?", group=True) is None
    await world.say("/setup@whichgpu_bot off", group=True)
    assert await world.say("@whichgpu_bot 13b qlora", group=True, entities=_mention()) is None


async def test_who_writes_as_the_group_is_an_admin(world: World) -> None:
    masked: dict[str, Any] = {
        "from": {"id": 1087968824, "is_bot": True},
        "sender_chat": {"id": -100, "type": "supergroup"},
    }
    await world.say("/setup@whichgpu_bot mentions", group=True, **masked)
    assert await world.store.channel("telegram", "-100") == {"mode": "mentions"}


async def test_a_group_that_becomes_a_supergroup_keeps_its_settings(world: World) -> None:
    await world.store.set_channel("telegram", "-100", {"mode": "off"})
    assert await world.say(group=True, migrate_to_chat_id=-1009) is None
    assert await world.store.channel("telegram", "-1009") == {"mode": "off"}


def _mention() -> list[dict[str, Any]]:
    return [{"type": "mention", "offset": 0, "length": 13}]

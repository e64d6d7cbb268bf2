"""Telegram, over real sockets, as the people in it: every request of the bot is checked by the world."""

import asyncio
import os
import signal
from typing import Any

import pytest

from tests.paths import needs_shared
from tests.worlds.conftest import StartBot

pytestmark = needs_shared
HOSTILE = [
    "<b>13b</b> qlora & <script>",
    "_*[]()~`>#+-=|{}.! 13b qlora",
    "\u202e13b qlora \u200f\u2067",
    "🙂👩‍👩‍👧‍👦 13b qlora 🏳️‍🌈",
    "13b qlora " + "x" * 3_900,
    "{{ 7*7 }} {% raw %} 13b",
    "rtx 3909 <i>_x_</i> 8b",
    "\u200b",
    "/",
]


def said(entry: dict[str, Any]) -> str:
    """What a message shows, whichever form it has."""
    rich = entry.get("rich_message") or {}
    return str(entry["text"] or "".join(str(block.get("text", "")) for block in rich.get("blocks", [])))


async def polling(telegram: Any) -> None:
    for _ in range(400):
        if (await telegram.stats())["calls"].get("getUpdates"):
            return
        await asyncio.sleep(0.1)
    raise AssertionError("the bot does not poll")


async def test_a_private_conversation(telegram: Any, start_bot: StartBot) -> None:
    await start_bot(telegram)
    first = await telegram.ask("ann", "13b qlora", timeout=40)
    assert "GiB" in said(first)
    assert first["buttons"]
    second = await telegram.ask("ann", "and with 8k context?", timeout=15)
    assert "8" in said(second)
    german = await telegram.ask("uli", "Reicht eine 3090 für QLoRA mit 13B?", timeout=15, lang="de")
    assert "GiB" in said(german)
    assert await telegram.violations() == []


async def test_a_press_edits_the_same_message(telegram: Any, start_bot: StartBot) -> None:
    await start_bot(telegram)
    first = await telegram.ask("ann", "13b qlora on a 3090", timeout=40)
    pressed = await telegram.press("ann", index=0)
    edit = await telegram.wait_kind("edit", pressed["seq"], 15)
    assert edit["message_id"] == first["message_id"]
    await telegram.wait_kind("callback_answer", pressed["seq"], 5)
    assert await telegram.violations() == []


async def test_a_select_opens_and_changes_the_set_up(telegram: Any, start_bot: StartBot) -> None:
    await start_bot(telegram)
    first = await telegram.ask("ann", "13b qlora on a 3090", timeout=40)
    opened = await telegram.press("ann", "2,048 context ▾")
    shown = await telegram.wait_kind("edit", opened["seq"], 15)
    assert said(shown) == said(first)
    assert "8k context" in [key["text"] for row in shown["buttons"] for key in row]
    changed = await telegram.press("ann", "8k context")
    answer = await telegram.wait_kind("edit", changed["seq"], 15)
    assert "8k tokens" in said(answer)
    assert len([key for row in answer["buttons"] for key in row]) == len([k for row in first["buttons"] for k in row])
    assert await telegram.violations() == []


async def test_an_edited_question_edits_its_answer(telegram: Any, start_bot: StartBot) -> None:
    await start_bot(telegram)
    sent = await telegram.send("ann", "7b qlora")
    reply = await telegram.reply(sent, 40)
    await asyncio.sleep(0.3)
    await telegram.post("edit", user="ann", message_id=sent["message_id"], text="70b qlora")
    edit = await telegram.wait_kind("edit", reply["seq"], 15)
    assert edit["message_id"] == reply["message_id"]
    assert "70" in said(edit)
    assert await telegram.violations() == []


async def test_commands(telegram: Any, start_bot: StartBot) -> None:
    await start_bot(telegram)
    assert said(await telegram.ask("ann", "/start", timeout=40))
    assert "GiB" in said(await telegram.ask("ann", "/start 13b-qlora", timeout=15))
    assert "GiB" in said(await telegram.ask("ann", "/whichgpu 13b qlora", timeout=15))
    for command in ("/help", "/fits", "/compare", "/oom", "/faq", "/about", "/language", "/setup", "/config"):
        assert said(await telegram.ask("ann", command, timeout=15)), command
    assert "QLoRA" in said(await telegram.ask("ann", "/faq qlora", timeout=15))
    assert "Deutsch" in said(await telegram.ask("ann", "/language de", timeout=15))
    assert "Erledigt" in said(await telegram.ask("ann", "/forget", timeout=15))
    names = {
        call["arguments"].get("language_code", "")
        for call in (await telegram.transcript())["entries"]
        if call["kind"] == "profile"
    }
    assert names == {"", "de"}
    assert await telegram.violations() == []


async def test_groups_topics_and_privacy(telegram: Any, start_bot: StartBot) -> None:
    topics = (await telegram.post("chat", name="forum", topics=["gpus"]))["topics"]
    await start_bot(telegram)
    await polling(telegram)
    sent = await telegram.send("ann", "/whichgpu@whichgpu_bot 13b qlora", "forum", thread_id="gpus")
    reply = await telegram.reply(sent, 40)
    assert reply["thread_id"] == topics["gpus"]
    assert reply["reply_to"] == sent["message_id"]
    labels = [key["text"] for row in reply["buttons"] for key in row]
    assert labels[-4:-1] == ["📊", "👍", "👎"]
    again = await telegram.send("bob", "and on a 4090?", "forum", thread_id="gpus", reply_to=reply["message_id"])
    followed = await telegram.reply(again, 15)
    assert followed["reply_to"] == again["message_id"]
    assert "13B" in said(followed)  # what ann had asked
    assert "4090" in said(followed)
    general = await telegram.send("ann", "/whichgpu@whichgpu_bot 8b lora", "team")
    assert (await telegram.reply(general, 15))["thread_id"] is None
    for text in ("hi all", "which gpu for 13b qlora?", "/whichgpu@other_bot 13b"):
        quiet = await telegram.send("ann", text, "team")
        await telegram.silence(quiet["seq"], 0.6)
    assert await telegram.violations() == []


async def test_sure_only_where_an_admin_switched_it_on(telegram: Any, start_bot: StartBot) -> None:
    await telegram.post("chat", name="team", bot_admin=True)
    await start_bot(telegram)
    await polling(telegram)
    quiet = await telegram.send("ann", "can I fine-tune llama 3.1 8b with qlora on a 3060 12gb at 4k context?", "team")
    await telegram.silence(quiet["seq"], 2.0)
    refused = await telegram.send("ann", "/setup@whichgpu_bot sure", "team")
    assert said(await telegram.reply(refused, 15))
    assert await telegram.violations() == []


async def test_inline_and_guest(telegram: Any, start_bot: StartBot) -> None:
    await start_bot(telegram)
    await polling(telegram)
    answer = await telegram.inline("ann", "13b qlora", 40)
    assert 1 <= len(answer["results"]) <= 5
    assert await telegram.inline("ann", "", 15)
    for typed in ("a", "as", "asd", "asdf", "1", "13", "70b", "13b", "13b q", "13b ql", "13b qlo", "13b qlor"):
        last = await telegram.inline("ann", typed, 15)
    assert last["results"][0]["description"] == answer["results"][0]["description"]  # what was typed before is not said
    assert (await telegram.inline("bob", "asdf", 15))["results"][0]["title"].startswith("Type a question")
    assert answer["button"]["start_parameter"] == "w-MTNiIHFsb3Jh"
    sent = await telegram.post("guest", user="ann", chat="elsewhere", text="@WhichGPU_bot 13b qlora")
    assert "13B" in said(await telegram.reply(sent, 15))
    assert await telegram.violations() == []


@pytest.mark.parametrize("rich", [True, False])
async def test_hostile_texts_and_names(telegram: Any, start_bot: StartBot, rich: bool) -> None:
    if not rich:  # an older server: it does not know the method
        await telegram.fault("sendRichMessage", status=404, times=-1, description="Not Found: method not found")
    await start_bot(telegram)
    await polling(telegram)
    for number, text in enumerate(HOSTILE):
        assert said(await telegram.ask(f"<b>eve_{number}*`[</b>", text, timeout=40))
    assert await telegram.violations() == []


async def test_documents(telegram: Any, start_bot: StartBot) -> None:
    await start_bot(telegram)
    await polling(telegram)
    chat = (await telegram.send("ann", "hi"))["chat_id"]
    update = {
        "message": {
            "message_id": 900, "date": 1_900_000_000, "from": {"id": chat, "is_bot": False, "first_name": "ann"},
            "chat": {"id": chat, "type": "private"},
            "document": {"file_id": "big", "file_unique_id": "big", "file_name": "run.log", "file_size": 10_000_000},
        }
    }  # fmt: skip
    before = (await telegram.transcript())["entries"][-1]["seq"]
    await telegram.post("update", update=update)
    entry = await telegram.wait_for(lambda e: e["kind"] == "message" and "256" in said(e), before, 40)
    assert entry["chat_id"] == chat
    assert await telegram.violations() == []


async def test_a_kill_loses_nothing(telegram: Any, start_bot: StartBot) -> None:
    process = await start_bot(telegram)
    await polling(telegram)
    sent = [await telegram.send(f"user{n}", "13b qlora") for n in range(12)]
    await telegram.wait_kind("message", sent[0]["seq"], 40)
    os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
    await start_bot(telegram)
    for one in sent:
        await telegram.wait_for(
            lambda e, chat=one["chat_id"]: e["kind"] == "message" and e["from"] == "bot" and e["chat_id"] == chat, 0, 40
        )


async def test_sigterm_ends_it_soon_and_politely(telegram: Any, start_bot: StartBot) -> None:
    process = await start_bot(telegram)
    await telegram.ask("ann", "13b qlora", timeout=40)
    process.terminate()
    assert await asyncio.wait_for(process.wait(), 12) == 0


async def test_a_wrong_token_ends_it_with_a_cure(telegram: Any, start_bot: StartBot, log_file: Any) -> None:
    await telegram.config(token="1:other")
    process = await start_bot(telegram)
    assert await asyncio.wait_for(process.wait(), 40) == 1
    assert "BotFather" in log_file.read_text()

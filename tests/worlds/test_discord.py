"""Discord, over real sockets, as the people on it: every request of the bot is checked by the world."""

import asyncio
import os
import signal
from typing import Any

import pytest

from tests.paths import needs_shared
from tests.worlds.conftest import StartBot, client_module

pytestmark = needs_shared
HOSTILE = [
    "13b qlora @everyone @here <@&1> <#2>",
    "_*[]()~`>#+-=|{}.! ``` 13b qlora",
    "\u202e13b qlora \u200f\u2067",
    "🙂👩‍👩‍👧‍👦 13b qlora 🏳️‍🌈",
    "13b qlora " + "x" * 980,
    "{{ 7*7 }} {% raw %} 13b",
    "rtx 3909 [x](https://example.org) # big\n-# small",
    "\u200b",
    "|" * 50 + " 13b",
]


def said(entry: dict[str, Any]) -> str:
    """What a message shows, whichever form it has."""

    def walk(parts: list[dict[str, Any]]) -> list[str]:
        return [text for part in parts for text in (part.get("content") or "", *walk(part.get("components") or []))]

    return "\n".join(text for text in (entry["text"], *walk(entry["components"])) if text)


def custom_id(entry: dict[str, Any], ending: str) -> str:
    return next(str(b["custom_id"]) for b in entry["buttons"] if str(b["custom_id"]).endswith(ending))


async def up(world: Any, start_bot: StartBot, *channels: str, **extra: str) -> Any:
    """A server, the bot in it, its commands registered."""
    await world.guild("home", list(channels) or ["general", "help", "forum:questions"])
    process = await start_bot(world, **extra)
    await world.ready(40)
    await world.commands("whichgpu", 40)
    await asyncio.sleep(0.3)
    return process


async def test_commands_buttons_and_sharing(discord_world: Any, start_bot: StartBot) -> None:
    world = discord_world
    await up(world, start_bot)
    asked = await world.slash("ann", "whichgpu", "help", question="13b qlora on a 3090")
    first = await world.reply(asked, 15)
    assert first["ephemeral"]
    assert "GiB" in said(first)
    pressed = await world.press("ann", first["message_id"], custom_id=custom_id(first, "|?method"), values=["LoRA"])
    edit = await world.wait_kind("edit", pressed["seq"], 10)
    assert "LoRA" in said(edit)
    for ending in ("show=why", "show=config", "show=picture"):
        shown = await world.press("ann", first["message_id"], custom_id=custom_id(edit, ending))
        edit = await world.wait_kind("edit", shown["seq"], 15)
    assert edit["attachments"] == ["memory.png"]
    back = await world.press("ann", first["message_id"], custom_id=custom_id(edit, "show=short"))
    edit = await world.wait_kind("edit", back["seq"], 10)
    assert edit["attachments"] == []
    pressed = await world.press("ann", first["message_id"], custom_id=custom_id(edit, "!share"))
    shared = await world.wait_kind("message", pressed["seq"], 10)
    assert not shared["ephemeral"]
    thanks = await world.press("bob", shared["message_id"], custom_id=custom_id(shared, "!up"))
    assert (await world.reply(thanks, 10))["ephemeral"]
    await world.press("ann", shared["message_id"], custom_id=custom_id(shared, "!del"))
    await world.wait_kind("delete", thanks["seq"], 10)
    assert await world.violations() == []


async def test_each_command_completion_form_and_menu(discord_world: Any, start_bot: StartBot) -> None:
    world = discord_world
    await up(world, start_bot)
    for command, options in {
        "fits": {"model": "8b", "gpu": "3060 12GB"}, "compare": {"gpu": "2x 3090", "other": "5090"},
        "faq": {"topic": "qlora"}, "config": {"model": "8b", "gpu": "4090", "trainer": "axolotl"},
        "about": {}, "forget": {}, "language": {"language": "de"}, "whichgpu-setup": {"mode": "sure"},
    }.items():  # fmt: skip
        assert said(await world.reply(await world.slash("ann", command, "help", **options), 15)), command
    typed = await world.post("autocomplete", user="ann", channel="help", command="whichgpu",
                             options={"question": "13b qlora on a 30"}, focused="question")  # fmt: skip
    assert 2 <= len((await world.wait_kind("choices", typed["seq"], 10))["choices"]) <= 25
    opened = await world.slash("bob", "oom", "help")
    await world.wait_kind("modal", opened["seq"], 10)
    sent = await world.post("modal", user="bob", interaction=opened["interaction"],
                            fields={"text": "CUDA out of memory. Tried to allocate 2.00 GiB", "file": []})  # fmt: skip
    assert said(await world.reply(sent, 15))
    message = await world.say("bob", "llama 3.1 8b qlora on a 3060 12gb?", "general")
    used = await world.post("context", user="ann", command="Which GPU?", message_id=message["message_id"])
    assert "3060" in said(await world.reply(used, 15))
    commands = (await world.get("commands"))["global"]
    assert all(command["name_localizations"]["de"] for command in commands)
    assert await world.violations() == []


async def test_user_install_and_private_chats(discord_world: Any, start_bot: StartBot) -> None:
    world = discord_world
    await up(world, start_bot)
    german = {"question": "reicht eine 3090 für 13b qlora?"}
    used = await world.post(
        "slash", user="uli", command="whichgpu", options=german, dm=True, install="user", locale="de"
    )
    answer = await world.reply(used, 15)
    assert not answer["ephemeral"]
    assert "braucht" in said(answer) or "passt" in said(answer)
    english = {"question": "13b qlora"}
    used = await world.post("slash", user="ann", channel="help", command="whichgpu", options=english, install="user")
    first = await world.reply(used, 15)
    assert first["ephemeral"]
    await world.press("ann", first["message_id"], custom_id=custom_id(first, "!share"))
    direct = await world.say("ann", "13b qlora", dm=True)
    assert "GiB" in said(await world.reply(direct, 15))
    assert await world.violations() == []


async def test_mentions_threads_edits_and_silence(discord_world: Any, start_bot: StartBot) -> None:
    world = discord_world
    await up(world, start_bot)
    asked = await world.say("ann", "@bot 13b qlora", "general")
    reply = await world.reply(asked, 15)
    assert reply["reply_to"] == asked["message_id"]
    assert reply["mentions"] == []
    again = await world.say("bob", "@bot and lora?", "general", reply_to=reply["message_id"])
    assert (await world.reply(again, 15))["reply_to"] == again["message_id"]
    await asyncio.sleep(0.5)
    await world.post("edit", message_id=asked["message_id"], text="@bot 70b qlora")
    edit = await world.wait_kind("edit", again["seq"], 15)
    assert edit["message_id"] == reply["message_id"]
    assert "70B" in said(edit)
    await world.post("delete", message_id=asked["message_id"])
    await world.wait_kind("delete", edit["seq"], 15, message_id=reply["message_id"])
    quiet = await world.say("ann", "13b qlora on a 3090?", "general")
    await world.silence(quiet["seq"], 0.6)
    await world.reply(await world.slash("ann", "whichgpu-setup", "help", mode="mentions", place="thread"), 15)
    asked = await world.say("ann", "@bot 8b lora", "help")
    await world.wait_kind("thread", asked["seq"], 15)
    assert "GiB" in said(await world.reply(asked, 15))
    post = await world.post("thread", user="ann", channel="questions", name="Which GPU?", text="@bot 13b qlora")
    assert "GiB" in said(await world.reply({**post, "seq": asked["seq"]}, 15))
    assert await world.violations() == []


async def test_overheard_with_message_content(start_bot: StartBot) -> None:
    async with await client_module().DiscordClient.launch("--message-content") as world:
        await up(world, start_bot, "general", "help", WHICHGPU_DISCORD_MESSAGE_CONTENT="true")
        sure = "Can I fine-tune Llama 3.1 8B with QLoRA on a 3060 12GB at 4k context?"
        quiet = await world.say("ann", sure, "help")
        await world.silence(quiet["seq"], 0.6)
        await world.reply(await world.slash("ann", "whichgpu-setup", "help", mode="sure"), 15)
        asked = await world.say("ann", sure, "help")
        await world.wait_kind("message", asked["seq"], 15, reply_to=asked["message_id"])
        for text in (sure, "good morning", "@bob " + sure):
            quiet = await world.say("bob", text, "help")
        await world.silence(quiet["seq"], 0.6)
        assert await world.violations() == []


@pytest.mark.parametrize("intent", [False, True])
async def test_hostile_texts_and_names(discord_world: Any, start_bot: StartBot, intent: bool) -> None:
    world = discord_world
    await up(world, start_bot)
    for number, text in enumerate(HOSTILE):
        user = f"<b>eve_{number}*`[@everyone"
        if intent:
            await world.reply(await world.slash(user, "whichgpu", "help", question=text), 15)
        else:
            await world.reply(await world.say(user, f"@bot {text}", "general"), 15)
    assert await world.violations() == []


async def test_accidents_of_the_gateway(discord_world: Any, start_bot: StartBot) -> None:
    world = discord_world
    await world.post("gateway", action="handshake_503", times=1)
    process = await up(world, start_bot)
    for mishap in ({"action": "reconnect"}, {"action": "drop"}, {"action": "invalid_session"}, {"action": "poison"},
                   {"action": "poison", "event": "INTERACTION_CREATE", "data": {"type": 2}},
                   {"action": "poison", "event": "MESSAGE_UPDATE", "data": {"edited_timestamp": 1, "author": []}},
                   {"action": "poison", "event": "GUILD_CREATE", "data": {"id": "x"}},
                   {"action": "close", "code": 4009}):  # fmt: skip
        await world.post("gateway", **mishap)
        asked = await world.say("ann", f"@bot 13b qlora, after {mishap['action']}", "general")
        assert "GiB" in said(await world.reply(asked, 30)), mishap
    assert process.returncode is None
    assert await world.violations() == []


async def test_shards(discord_world: Any, start_bot: StartBot) -> None:
    world = discord_world
    await world.config(shards=2)
    for number, name in ((10, "even"), (11, "odd")):
        await world.guild(name, [name], id=str((number << 22) + 1))
    await start_bot(world)
    for _ in range(400):
        if len((await world.stats())["sessions"]) == 2:
            break
        await asyncio.sleep(0.1)
    await asyncio.sleep(0.3)
    for name in ("even", "odd"):
        assert "GiB" in said(await world.reply(await world.say("ann", "@bot 13b qlora", name), 20))
    assert await world.violations() == []


@pytest.mark.parametrize("way", ["slash", "mention"])
async def test_a_kill_loses_nothing_and_says_nothing_twice(discord_world: Any, start_bot: StartBot, way: str) -> None:
    world = discord_world
    process = await up(world, start_bot, *(f"c{n}" for n in range(8)))
    items = [{"user": f"user{n}", "channel": f"c{n % 8}"} for n in range(24)]
    if way == "slash":
        more = {"command": "whichgpu", "options": {"question": "13b qlora"}}
        sent = (await world.post("slash_many", items=[{**item, **more} for item in items]))["sent"]
    else:
        sent = (await world.post("say_many", items=[{**item, "text": "@bot 13b qlora"} for item in items]))["sent"]
    keys = [one.get("interaction") or one["message_id"] for one in sent]
    await world.wait_for(lambda e: e["kind"] == "message" and e.get("trigger") in keys, 0, 20)
    os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
    await start_bot(world)
    for key in keys:
        await world.wait_for(lambda e, key=key: e["kind"] == "message" and e.get("trigger") == key, 0, 40)
    await asyncio.sleep(1)
    entries = (await world.transcript())["entries"]
    told = [e["trigger"] for e in entries if e["kind"] == "message" and e.get("trigger") in keys]
    assert len(told) == len(set(told)) == len(keys)


async def test_errors_and_limits_on_the_way(discord_world: Any, start_bot: StartBot) -> None:
    world = discord_world
    await up(world, start_bot)
    for fault in ({"status": 503}, {"drop": True}, {"drop_after": True}, {"status": 429, "retry_after": 0.6}):
        await world.fault("P* */messages*", times=1, **fault)
        asked = await world.say("ann", f"@bot 13b qlora {fault}", "general")
        assert "GiB" in said(await world.reply(asked, 20)), fault
    for fault in ({"status": 502}, {"drop": True}, {"drop_after": True}):
        await world.fault("POST /interactions/*", times=1, **fault)
        used = await world.slash("ann", "whichgpu", "help", question="13b qlora")
        await world.wait_kind("message", 0, 15, interaction=used["interaction"])
    rules = {violation["rule"] for violation in await world.violations()}
    assert rules <= {"double ack"}  # the connection broke after Discord had taken it: it can only be asked


async def test_a_wrong_token_and_a_missing_intent_end_it_with_a_cure(
    discord_world: Any, start_bot: StartBot, log_file: Any
) -> None:
    process = await start_bot(discord_world, WHICHGPU_DISCORD_MESSAGE_CONTENT="true")
    assert await asyncio.wait_for(process.wait(), 40) == 1
    assert "Privileged Gateway Intents" in log_file.read_text()
    await discord_world.config(token="another")
    process = await start_bot(discord_world)
    assert await asyncio.wait_for(process.wait(), 40) == 1
    assert "Reset Token" in log_file.read_text()


async def test_sigterm_ends_it_soon_and_politely(discord_world: Any, start_bot: StartBot) -> None:
    process = await up(discord_world, start_bot)
    await discord_world.reply(await discord_world.slash("ann", "whichgpu", "help", question="13b qlora"), 15)
    process.terminate()
    assert await asyncio.wait_for(process.wait(), 12) == 0

"""Mentions, replies, private chats, and what is overheard where an admin wants it."""

import asyncio
from typing import Any

import discord
import pytest

from tests.bot.discord.conftest import answers_in, text_of

SURE = "Can I fine-tune Llama 3.1 8B with QLoRA on a 3060 12GB at 4k context?"
hears_all = pytest.mark.parametrize("running", [{"discord_message_content": True}], indirect=True)


def at_bot(env: Any, text: str) -> str:
    return f"{env.bot.user.mention} {text}"


async def test_a_mention_is_answered_by_one_quiet_reply(place: Any, simcord_env: Any) -> None:
    _, channel, ann, _ = place
    asked = await ann.send(channel, at_bot(simcord_env, "13b qlora"))
    (answer,) = answers_in(channel)
    assert answer.reference.message_id == asked.id
    assert answer.mentions == []
    assert "GiB" in text_of(answer)


async def test_what_is_not_for_the_bot_stays_unanswered(place: Any, simcord_env: Any) -> None:
    _, channel, ann, bob = place
    other_bot = place[0].add_member(simcord_env.create_user("robot", bot=True))
    await ann.send(channel, SURE)
    await ann.send(channel, f"{bob.mention} 13b qlora?")
    await other_bot.send(channel, at_bot(simcord_env, "13b qlora"))
    assert [message for message in channel.history() if message.author.id == simcord_env.bot.user.id] == []


async def test_a_reply_to_the_bot_goes_on(place: Any, simcord_env: Any) -> None:
    _, channel, ann, _ = place
    await ann.send(channel, at_bot(simcord_env, "13b qlora on a 3090"))
    first = channel.last_message
    await ann.send(channel, at_bot(simcord_env, "and with 8k context?"), reply_to=first)
    assert len(answers_in(channel)) == 2
    assert "8k" in text_of(channel.last_message)


async def test_a_private_chat(simcord_env: Any) -> None:
    ann = simcord_env.create_user("ann")
    await ann.send_dm("13b qlora")
    assert "GiB" in text_of(ann.dm_channel.last_message)


async def test_an_edited_question_edits_its_answer(place: Any, simcord_env: Any) -> None:
    _, channel, ann, _ = place
    asked = await ann.send(channel, at_bot(simcord_env, "7b qlora"))
    (first,) = answers_in(channel)
    await simcord_env.advance_time(1)
    await ann.edit(asked, at_bot(simcord_env, "70b qlora"))
    (answer,) = answers_in(channel)
    assert answer.id == first.id
    assert "70B" in text_of(answer)


async def test_a_deleted_question_takes_its_answer_along(place: Any, simcord_env: Any) -> None:
    _, channel, ann, _ = place
    asked = await ann.send(channel, at_bot(simcord_env, "7b qlora"))
    await simcord_env.advance_time(1)
    await ann.delete(asked)
    assert answers_in(channel) == []


async def test_a_thread_where_admins_want_one(place: Any, running: Any, simcord_env: Any) -> None:
    _, channel, ann, _ = place
    await running.store.set_channel("discord", str(channel.id), {"mode": "mentions", "place": "thread", "tag": ""})
    asked = await ann.send(channel, at_bot(simcord_env, "13b qlora"))
    assert answers_in(channel) == []
    (thread,) = channel.threads
    assert thread.id == asked.id
    assert "GiB" in text_of(thread.last_message)
    result = await ann.slash(thread, "whichgpu", question="8b lora")
    assert not result.ephemeral
    await simcord_env.advance_time(1)
    before = thread.last_message.id
    await ann.edit(asked, at_bot(simcord_env, "70b qlora"))
    assert any("70B" in text_of(message) for message in answers_in(thread))
    assert thread.last_message.id == before


async def test_off_means_commands_only(place: Any, running: Any, simcord_env: Any) -> None:
    _, channel, ann, _ = place
    await running.store.set_channel("discord", str(channel.id), {"mode": "off"})
    await ann.send(channel, at_bot(simcord_env, "13b qlora"))
    assert answers_in(channel) == []
    assert (await ann.slash(channel, "whichgpu", question="13b qlora")).ephemeral


@hears_all
async def test_overheard_where_it_is_sure(place: Any, running: Any, simcord_env: Any) -> None:
    _, channel, ann, bob = place
    await ann.send(channel, SURE)
    assert answers_in(channel) == []
    await running.store.set_channel("discord", str(channel.id), {"mode": "sure"})
    await ann.send(channel, "good morning everybody")
    await ann.send(channel, f"{bob.mention} {SURE}")
    assert answers_in(channel) == []
    await ann.send(channel, SURE)
    assert len(answers_in(channel)) == 1
    await bob.send(channel, "Does a 70b qlora fit on a 3090 at 2k context?")
    assert len(answers_in(channel)) == 1
    for _ in range(5):
        await bob.send(channel, "nice")
    await bob.send(channel, SURE)
    assert len(answers_in(channel)) == 1
    await bob.send(channel, "Does a 70b qlora fit on a 3090 at 2k context?")
    assert len(answers_in(channel)) == 2


@hears_all
async def test_who_wants_to_be_left_alone_is(place: Any, running: Any) -> None:
    _, channel, ann, _ = place
    await running.store.set_channel("discord", str(channel.id), {"mode": "sure"})
    await running.store.prefer("discord", str(ann.id), opt_out=True)
    await ann.send(channel, SURE)
    assert answers_in(channel) == []


async def test_a_config_that_comes_along_is_read(place: Any, simcord_env: Any) -> None:
    _, channel, ann, _ = place
    config = b"base_model: meta-llama/Llama-3.1-8B\nadapter: qlora\nsequence_len: 8192\nmicro_batch_size: 4\n"
    await ann.send(channel, at_bot(simcord_env, "does this fit a 3090?"), attachments=[("config.yaml", config)])
    assert "8k" in text_of(channel.last_message)
    await ann.send(channel, at_bot(simcord_env, ""), attachments=[("photo.png", b"\x89PNG\r\n\x1a\n")])
    assert ".yaml" in text_of(channel.last_message)


async def test_a_channel_that_is_closed_to_the_bot(place: Any, simcord_env: Any) -> None:
    guild, _, ann, _ = place
    quiet = guild.create_text_channel(
        "quiet", overwrites={simcord_env.bot.user: discord.PermissionOverwrite(send_messages=False)}
    )
    await ann.send(quiet, at_bot(simcord_env, "13b qlora"))
    assert answers_in(quiet) == []


@pytest.mark.parametrize("status", [500, 503])
async def test_a_server_error_is_tried_again(place: Any, simcord_env: Any, running: Any, status: int) -> None:
    _, channel, ann, _ = place
    running.waits = False
    simcord_env.inject_error("POST", "/channels/*/messages", status=status, times=2)
    await ann.send(channel, at_bot(simcord_env, "13b qlora"))
    for _ in range(8):
        await simcord_env.advance_time(1)
        await asyncio.sleep(0.05)
    assert len(answers_in(channel)) == 1


async def test_an_embed_where_components_are_refused(place: Any, simcord_env: Any) -> None:
    _, channel, ann, _ = place
    simcord_env.inject_error("POST", "/channels/*/messages", status=400, code=50035)
    await ann.send(channel, at_bot(simcord_env, "13b qlora"))
    (answer,) = answers_in(channel)
    assert answer.embeds
    assert "GiB" in text_of(answer)

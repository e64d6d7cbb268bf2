"""Buttons and selects: by the asker, by others, after a restart."""

from typing import Any

import discord

from tests.bot.discord.conftest import control, has_control, parts_of, text_of


async def test_a_select_changes_the_answer_in_place(place: Any) -> None:
    _, channel, ann, _ = place
    first = (await ann.slash(channel, "whichgpu", question="13b qlora on a 3090")).response
    result = await ann.select(first, ["seq_len=8192"], custom_id=control(first, "|?seq_len"))
    assert result.response.id == first.id
    assert "8k" in text_of(result.response)
    more = await ann.select(result.response, ["n_gpus=2"], custom_id=control(result.response, "|?more"))
    assert "2" in text_of(more.response)


async def test_why_and_back(place: Any) -> None:
    _, channel, ann, _ = place
    first = (await ann.slash(channel, "whichgpu", question="13b qlora on a 3090")).response
    before = text_of(first)
    why = (await ann.click(first, custom_id=control(first, "show=why"))).response
    assert why.id == first.id
    assert text_of(why) != before


async def test_the_picture_and_the_way_back(place: Any) -> None:
    _, channel, ann, _ = place
    first = (await ann.slash(channel, "whichgpu", question="13b qlora on a 3090")).response
    before = text_of(first)
    pictured = (await ann.click(first, custom_id=control(first, "show=picture"))).response
    assert [attachment.filename for attachment in pictured.attachments] == ["memory.png"]
    assert any(part["type"] == 12 for part in parts_of(pictured))
    back = (await ann.click(pictured, custom_id=control(pictured, "show=short"))).response
    assert back.attachments == []
    assert text_of(back) == before


async def test_somebody_else_gets_an_answer_of_their_own(place: Any) -> None:
    _, channel, ann, bob = place
    await ann.send(channel, f"{channel._env.bot.user.mention} 13b qlora on a 3090")
    answer = channel.last_message
    before = text_of(answer)
    result = await bob.select(answer, ["method=lora"], custom_id=control(answer, "|?method"))
    assert result.ephemeral
    assert result.response.id != answer.id
    assert "LoRA" in text_of(result.response)
    assert text_of(channel.last_message) == before


async def test_sharing_shows_it_to_everybody_once(place: Any) -> None:
    _, channel, ann, bob = place
    first = (await ann.slash(channel, "whichgpu", question="13b qlora on a 3090")).response
    result = await ann.click(first, custom_id=control(first, "|!share"))
    assert not has_control(result.response, "|!share")
    (shared,) = result.followups
    assert not shared.ephemeral
    assert text_of(shared) == text_of(first)
    assert has_control(shared, "|!del")
    pressed = await bob.click(shared, custom_id=control(shared, "|!del"))
    assert pressed.ephemeral
    assert "asked" in text_of(pressed.response)
    await ann.click(shared, custom_id=control(shared, "|!del"))
    assert shared.id not in [message.id for message in channel.history()]


async def test_moderators_may_delete(place: Any, simcord_env: Any) -> None:
    guild, channel, ann, _ = place
    mods = guild.create_role("mods", permissions=discord.Permissions(manage_messages=True))
    mod = guild.add_member(simcord_env.create_user("mod"), roles=[mods])
    await ann.send(channel, f"{simcord_env.bot.user.mention} 13b qlora")
    answer = channel.last_message
    await mod.click(answer, custom_id=control(answer, "|!del"))
    assert answer.id not in [message.id for message in channel.history()]


async def test_thumbs_are_kept_with_the_query(place: Any, running: Any, simcord_env: Any) -> None:
    _, channel, ann, bob = place
    await ann.send(channel, f"{simcord_env.bot.user.mention} 13b qlora on a 3090")
    answer = channel.last_message
    result = await bob.click(answer, custom_id=control(answer, "|!down"))
    assert result.ephemeral
    kept = (await running.store.export("discord", str(bob.id)))["feedback"]
    assert len(kept) == 1
    assert not kept[0]["helpful"]


async def test_buttons_work_after_a_restart(place: Any, running: Any, simcord_env: Any) -> None:
    _, channel, ann, _ = place
    await ann.send(channel, f"{simcord_env.bot.user.mention} 13b qlora on a 3090")
    answer = channel.last_message
    await running.stop()
    await simcord_env.restart_bot(await running.start())
    await ann.select(answer, ["method=lora"], custom_id=control(answer, "|?method"))
    assert "LoRA" in text_of(channel.last_message)


async def test_what_we_did_not_make_is_not_obeyed(place: Any, running: Any) -> None:
    _, channel, ann, _ = place
    first = (await ann.slash(channel, "whichgpu", question="13b qlora")).response
    stored = channel._env.backend.get_message(channel.id, first.id)
    state = control(first, "|?method").split("|")[3]
    odd = ("x", "w|en|1|", "w|xx|1|a|method=lora", f"w|en|1|{state}|method=__import__", "w|en|!!|zzz|seq_len=-1")
    for custom_id in odd:
        stored.components = [{"type": 1, "id": 1, "components": [
            {"type": 2, "id": 2, "style": 1, "label": "x", "custom_id": custom_id, "disabled": False}]}]  # fmt: skip
        result = await ann.click(first, custom_id=custom_id)
        assert result.acknowledged

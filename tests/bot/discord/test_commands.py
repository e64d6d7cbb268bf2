"""Commands, completions, the form and the context menu, as people use them."""

from typing import Any

import discord
import pytest

from tests.bot.discord.conftest import has_control, parts_of, text_of


async def test_a_question_is_answered_for_the_asker_only(place: Any) -> None:
    _, channel, ann, _ = place
    result = await ann.slash(channel, "whichgpu", question="13b qlora")
    assert result.ephemeral
    assert not result.deferred
    assert "GiB" in text_of(result.response)
    assert result.response.flags.components_v2
    assert has_control(result.response, "|!share")
    assert not has_control(result.response, "|!del")


async def test_a_private_chat_sees_the_answer_in_the_open(simcord_env: Any) -> None:
    ann = simcord_env.create_user("ann")
    result = await ann.slash("whichgpu", question="13b qlora")
    assert not result.ephemeral
    assert has_control(result.response, "|!del")


@pytest.mark.parametrize(
    ("command", "options", "says"),
    [
        ("fits", {"model": "Llama-3.1-8B", "gpu": "3060 12GB"}, "GiB"),
        ("fits", {"model": "13b", "gpu": "2x 3090", "method": "lora", "context": "8k", "batch": "2"}, "GiB"),
        ("compare", {"gpu": "2x 3090", "other": "5090"}, "5090"),
        ("faq", {"topic": "qlora"}, "QLoRA"),
        ("config", {"model": "8b", "gpu": "4090", "trainer": "unsloth"}, "```"),
        ("about", {}, "MIT"),
        ("forget", {}, "no longer"),
    ],
)
async def test_each_command_has_an_answer(place: Any, command: str, options: dict[str, str], says: str) -> None:
    _, channel, ann, _ = place
    result = await ann.slash(channel, command, **options)
    assert result.ephemeral
    assert says in text_of(result.response)


async def test_the_conversation_goes_on_over_commands_and_mentions(place: Any, simcord_env: Any) -> None:
    _, channel, ann, _ = place
    await ann.slash(channel, "whichgpu", question="13b qlora on a 3090")
    result = await ann.slash(channel, "whichgpu", question="and with 8k context?")
    assert "13B" in text_of(result.response)
    assert "8k" in text_of(result.response)


async def test_the_chosen_language_stays(place: Any) -> None:
    _, channel, ann, _ = place
    assert "Deutsch" in text_of((await ann.slash(channel, "language", language="de")).response)
    result = await ann.slash(channel, "whichgpu", question="13b qlora")
    assert "Kontext" in str(parts_of(result.response))


async def test_completions(place: Any) -> None:
    _, channel, ann, _ = place
    examples = await ann.autocomplete(channel, "whichgpu", "question", "")
    assert 5 <= len(examples) <= 25
    typed = await ann.autocomplete(channel, "whichgpu", "question", "13b qlora on a 30")
    assert typed[0]["value"] == "13b qlora on a 30"
    assert any("3090" in choice["value"] for choice in typed[1:])
    assert all(1 <= len(choice["value"]) <= 100 for choice in typed)
    models = await ann.autocomplete(channel, "fits", "model", "qwen3 14")
    assert models[0]["value"] == "Qwen3-14B"
    cards = await ann.autocomplete(channel, "compare", "other", "2x 309", gpu="5090")
    assert cards[0]["value"] == "2x RTX 3090"
    topics = await ann.autocomplete(channel, "faq", "topic", "qlora")
    assert "qlora" in [choice["value"] for choice in topics]


async def test_the_form_takes_a_pasted_error(place: Any) -> None:
    _, channel, ann, _ = place
    shown = await ann.slash(channel, "oom")
    assert shown.modal is not None
    error = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total of 23.64 GiB"
    result = await ann.submit_modal(shown, {"text": error})
    assert result.ephemeral
    assert len(text_of(result.response)) > 80


async def test_the_form_takes_a_file(place: Any) -> None:
    _, channel, ann, _ = place
    shown = await ann.slash(channel, "oom")
    config = b"base_model: meta-llama/Llama-3.1-8B\nadapter: qlora\nsequence_len: 8192\nmicro_batch_size: 4\n"
    result = await ann.submit_modal(shown, {"file": ("config.yaml", config)})
    assert "8B" in text_of(result.response)


async def test_an_empty_form_is_asked_for_more(place: Any) -> None:
    _, channel, ann, _ = place
    shown = await ann.slash(channel, "oom")
    assert "Paste" in text_of((await ann.submit_modal(shown, {})).response)


async def test_the_menu_answers_somebody_elses_message(place: Any) -> None:
    _, channel, ann, bob = place
    message = await bob.send(channel, "can I fine-tune llama 3.1 8b with qlora on a 3060 12gb?")
    result = await ann.context_menu(channel, "Which GPU?", message)
    assert result.ephemeral
    assert "3060" in text_of(result.response)


async def test_nothing_in_it_pings_anybody(place: Any, simcord_env: Any) -> None:
    _, channel, ann, bob = place
    result = await ann.slash(channel, "whichgpu", question=f"rtx @everyone {bob.mention} 13b qlora")
    assert result.response is not None
    for request in simcord_env.http_requests:
        if request.method == "POST" and "callback" in request.path and request.json["type"] == 4:
            assert request.json["data"]["allowed_mentions"] == {"parse": []}


async def test_commands_are_registered_once(running: Any, simcord_env: Any) -> None:
    def puts() -> int:
        return sum(request.method == "PUT" for request in simcord_env.http_requests)

    assert puts() == 1
    await running.stop()
    await simcord_env.restart_bot(await running.start())
    assert puts() == 1


async def test_setup_is_for_admins_and_says_what_is_missing(place: Any, simcord_env: Any, running: Any) -> None:
    guild, channel, ann, _ = place
    admins = guild.create_role("admins", permissions=discord.Permissions(manage_guild=True))
    eve = guild.add_member(simcord_env.create_user("eve"), roles=[admins])
    with pytest.raises(Exception, match=r"(?i)permission"):
        await ann.slash(channel, "whichgpu-setup", mode="sure")
    result = await eve.slash(channel, "whichgpu-setup", mode="sure", place="thread", tag="gpus")
    text = text_of(result.response)
    assert "in a thread" in text
    assert "gpus" in text
    assert "intent" in text
    saved = await running.store.channel("discord", str(channel.id))
    assert saved == {"mode": "sure", "place": "thread", "tag": "gpus"}

"""Raw updates: read in our words, and no JSON whatever gets through as an exception other than Malformed."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.telegram.adapter import as_event
from bot.adapters.telegram.updates import Malformed, lane, read_update

ANN = {"id": 7, "is_bot": False, "first_name": "Ann", "language_code": "de-AT"}
PRIVATE = {"id": 7, "type": "private"}
GROUP = {"id": -100, "type": "supergroup", "title": "Team"}

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
kinds = st.sampled_from(
    ["message", "edited_message", "callback_query", "inline_query", "guest_message", "message_reaction"]
)


def message(text: str, chat: dict[str, object] = PRIVATE, **more: object) -> dict[str, object]:
    return {"update_id": 1, "message": {"message_id": 3, "from": ANN, "chat": chat, "date": 1, "text": text, **more}}


def test_a_private_question() -> None:
    heard = read_update(message("13b qlora?"))
    assert (heard.happened, heard.private, heard.rest, heard.command) == ("message", True, "13b qlora?", "")
    assert heard.locale == "de-AT"


def test_a_command_for_this_bot_and_what_follows_it() -> None:
    heard = read_update(message("/whichgpu@WhichGPU_bot 13b qlora", GROUP))
    assert (heard.command, heard.command_for, heard.rest) == ("whichgpu", "whichgpu_bot", "13b qlora")


@pytest.mark.parametrize("text", ["see /help", "/", "/ help", "/help/me", "and/or"])
def test_what_only_looks_like_a_command(text: str) -> None:
    assert read_update(message(text)).command == ""


def test_a_mention_behind_an_emoji_is_found_by_its_utf16_offset() -> None:
    text = "🙂 @WhichGPU_bot 13b"
    heard = read_update(message(text, GROUP, entities=[{"type": "mention", "offset": 3, "length": 13}]))
    assert heard.mentions == ("whichgpu_bot",)


def test_the_general_topic_has_no_thread_id() -> None:
    assert read_update(message("x", GROUP, message_thread_id=1)).thread_id is None
    assert read_update(message("x", GROUP, message_thread_id=9, is_topic_message=True)).thread_id == 9


def test_a_reply_to_an_answer_brings_what_that_was_about() -> None:
    keys = [[{"text": "site", "url": "https://x.y"}, {"text": "8k", "callback_data": "en|abc|seq_len=8192"}]]
    reply = {"message_id": 2, "from": {"id": 99}, "reply_markup": {"inline_keyboard": keys}}
    assert read_update(message("and 8k?", GROUP, reply_to_message=reply)).reply_data == "en|abc|seq_len=8192"
    assert read_update(message("and 8k?", GROUP, reply_to_message={"message_id": 2})).reply_data == ""


def test_a_reply_says_to_whom() -> None:
    reply = {"message_id": 2, "from": {"id": 99}, "text": "which card for 8b?"}
    heard = read_update(message("/whichgpu", GROUP, reply_to_message=reply))
    assert (heard.reply_to, heard.reply_to_user, heard.reply_text) == (2, 99, "which card for 8b?")


def test_a_press_in_a_group() -> None:
    body = {"id": "q1", "from": ANN, "data": "en||show=why", "message": {"message_id": 5, "chat": GROUP}}
    heard = read_update({"update_id": 1, "callback_query": body})
    assert (heard.happened, heard.chat_id, heard.message_id, heard.data) == ("pressed", -100, 5, "en||show=why")


def test_an_unknown_kind_is_nothing_to_do() -> None:
    assert read_update({"update_id": 1, "poll": {"id": "1"}}).happened == "other"


def test_a_malformed_message_says_so() -> None:
    with pytest.raises(Malformed, match="update 5"):
        read_update({"update_id": 5, "message": {"message_id": "x", "date": "never", "chat": 5}})


@given(kinds, json_values)
def test_any_json_is_read_or_malformed(kind: str, body: object) -> None:
    update = {"update_id": 1, kind: body}
    as_event(update)
    lane(update)
    with contextlib.suppress(Malformed):
        read_update(update)


def test_typing_inline_does_not_wait_behind_the_private_chat() -> None:
    event = as_event({"update_id": 4, "inline_query": {"id": "1", "from": ANN, "query": "13b"}})
    assert (event.chat, event.person) == ("inline:7", "7")

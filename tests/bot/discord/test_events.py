"""Payloads as Discord sends them, and as nobody should: read, or set aside; never anything else."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.discord.events import Heard, Malformed, Used, read_message, read_typing, read_used, seconds_of

ME = "11"
MESSAGE: dict[str, Any] = {
    "id": "100", "channel_id": "5", "guild_id": "7", "content": f"<@{ME}> 13b qlora", "type": 0,
    "author": {"id": "3", "bot": False}, "mentions": [{"id": ME}], "mention_roles": [], "attachments": [],
}  # fmt: skip
SLASH: dict[str, Any] = {
    "id": "100", "application_id": "9", "type": 2, "token": "t", "channel_id": "5", "guild_id": "7", "locale": "de",
    "context": 0, "channel": {"id": "5", "type": 0, "parent_id": "6"}, "app_permissions": "2048",
    "member": {"user": {"id": "3"}, "permissions": "32"},
    "data": {"id": "1", "name": "whichgpu", "type": 1, "options": [{"name": "question", "type": 3, "value": "13b"}]},
}  # fmt: skip
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def test_a_mention_is_taken_out_of_the_text() -> None:
    heard = read_message(MESSAGE, ME)
    assert heard is not None
    assert (heard.text, heard.mentions_us, heard.to_others) == ("13b qlora", True, False)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"author": {"id": "3", "bot": True}}, None),
        ({"webhook_id": "4"}, None),
        ({"type": 7}, None),
        ({"mentions": [{"id": "8"}], "content": "<@8> hi"}, (False, False, True)),
        ({"mentions": [], "content": "hi", "referenced_message": {"author": {"id": "8"}}}, (False, False, True)),
        ({"content": "hi", "referenced_message": {"author": {"id": ME}}}, (False, True, False)),
        ({"mentions": [], "content": "hi", "mention_roles": ["2"]}, (False, False, True)),
    ],
)
def test_who_is_spoken_to(change: dict[str, Any], expected: tuple[bool, bool, bool] | None) -> None:
    heard = read_message(MESSAGE | change, ME)
    assert (None if heard is None else (heard.mentions_us, heard.replies_to_us, heard.to_others)) == expected


def test_a_command() -> None:
    used = read_used(SLASH, ME)
    assert used.values == {"question": "13b"}
    assert used.may_manage
    assert not used.may_delete
    assert used.ephemeral


@pytest.mark.parametrize(
    ("change", "ephemeral"),
    [
        ({"context": 1, "guild_id": None}, False),
        ({"context": 2, "guild_id": None}, True),
        ({"channel": {"type": 11, "owner_id": ME}}, False),
        ({"channel": {"type": 11, "owner_id": "8"}}, True),
    ],
)
def test_who_sees_the_answer(change: dict[str, Any], ephemeral: bool) -> None:
    assert read_used(SLASH | change, ME).ephemeral is ephemeral


def test_what_goes_through_the_inbox_comes_back_the_same() -> None:
    used, heard = read_used(SLASH, ME), read_message(MESSAGE, ME)
    assert heard is not None
    assert Used.of_json({"what": "used", **used.as_json()}) == used
    assert Heard.of_json({"what": "heard", "of another version": 1, **heard.as_json()}) == heard
    with pytest.raises(Malformed):
        Used.of_json({"id": "1"})


@given(st.dictionaries(st.sampled_from([*MESSAGE, "webhook_id", "referenced_message"]), json_values))
def test_any_message_is_read_or_set_aside(change: dict[str, Any]) -> None:
    try:
        read_message(MESSAGE | change, ME)
    except Malformed:
        return


@given(st.dictionaries(st.sampled_from([*SLASH, "message", "user"]), json_values), st.sampled_from([2, 3, 4, 5]))
def test_any_interaction_is_read_or_set_aside(change: dict[str, Any], kind: int) -> None:
    raw = SLASH | {"type": kind} | change
    try:
        read_typing(raw) if kind == 4 else read_used(raw, ME)
    except Malformed:
        return


def test_the_age_of_an_id() -> None:
    assert seconds_of("175928847299117063") == pytest.approx(1_462_015_105.796)

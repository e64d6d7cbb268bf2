"""Whatever a reply holds, its message keeps Discord's limits; and what stands in custom ids comes back."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot import pipeline
from bot.adapters.discord.commands import commands
from bot.adapters.discord.custom_ids import ANYONE, LONGEST, base36, pack, unbase36, unpack
from bot.adapters.discord.layout import TEXT_CHARS, Where, again, classic, cut, layout
from bot.messages import Button, Option, Picture, Question, Reply, Select, Table, Text
from tests.bot.discord.conftest import parts_of

texts = st.text(max_size=60) | st.builds(lambda text: text * 300, st.text(max_size=20))
words = st.text(min_size=1, max_size=120)
replies = st.builds(
    Reply,
    language=st.sampled_from(["en", "de"]),
    blocks=st.lists(
        st.builds(Text, markdown=texts)
        | st.builds(lambda a, b: Table(header=(a, b), rows=((b, a), (a, a))), words, words), max_size=12).map(tuple),
    buttons=st.lists(st.builds(Button, label=words, change=words), max_size=14).map(tuple),
    selects=st.lists(st.builds(
        Select, name=words, placeholder=words,
        options=st.lists(st.builds(Option, label=words, change=words, chosen=st.booleans()), max_size=30).map(tuple),
    ), max_size=6).map(tuple),
    state=st.none() | st.text(alphabet="abcXYZ09-_", min_size=1, max_size=40),
)  # fmt: skip
wheres: st.SearchStrategy[Where] = st.sampled_from(["hidden", "shared", "channel", "direct", "notice"])
SNOWFLAKE = "9223372036854775807"


class _Message:
    def __init__(self, components: list[dict[str, Any]]) -> None:
        self.components = components


def check(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Discord's limits for components."""
    parts = parts_of(_Message(components))
    assert len(parts) <= 40
    assert sum(len(part["content"]) for part in parts if part["type"] == 10) <= 4000
    ids = [part["custom_id"] for part in parts if "custom_id" in part]
    assert len(ids) == len(set(ids))
    assert all(1 <= len(custom_id) <= 100 and ANYONE not in custom_id.split("|")[2] for custom_id in ids)
    for part in parts:
        if part["type"] == 1:
            assert 1 <= len(part["components"]) <= 5
        if part["type"] == 2:
            assert part.get("emoji") or 1 <= len(part["label"]) <= 80
        if part["type"] == 3:
            values = [option["value"] for option in part["options"]]
            assert 1 <= len(values) == len(set(values)) <= 25
    return parts


@settings(max_examples=40, deadline=None)
@given(replies, wheres, st.booleans())
def test_limits_hold(reply: Reply, where: Where, pictured: bool) -> None:
    picture = Picture(png=b"x", alt="a bar") if pictured else None
    check(layout(reply, where, picture).body(base36(SNOWFLAKE))["components"])
    plain = classic(reply, where).body(base36(SNOWFLAKE))
    assert len(plain["components"]) <= 5
    assert len(plain["embeds"][0]["description"]) <= 4096
    check(plain["components"])


@settings(max_examples=40, deadline=None)
@given(replies)
def test_what_was_shared_keeps_the_limits_too(reply: Reply) -> None:
    mine = layout(reply, "hidden").body(base36(SNOWFLAKE))["components"]
    numbered = [{**part, "id": 1} for part in mine]
    ids = [str(part.get("custom_id")) for part in check(again(numbered, public=True))]
    assert not any(custom_id.endswith("!share") for custom_id in ids)
    assert sum(custom_id.endswith("!del") for custom_id in ids) <= 1
    check(again(numbered, public=False))


@given(texts, st.integers(20, 4_000))
def test_cut_is_never_longer(text: str, most: int) -> None:
    assert len(cut(text, most)) <= max(most, 0)


def test_a_long_configuration_becomes_a_file() -> None:
    code = "import torch\n" * 600
    made = layout(Reply(blocks=(Text(markdown=f"Run it:\n```python\n{code}```\nand that is all"),)), "hidden")
    assert [name for name, _ in made.files] == ["train.py"]
    assert made.files[0][1].decode() == code
    parts = check(made.body("a")["components"])
    assert any(part["type"] == 13 for part in parts)
    assert made.body("a")["attachments"] == [{"id": "0", "filename": "train.py"}]


@pytest.mark.parametrize("question", ["13b qlora", "3090 oder 4090 für LoRA mit 70B?", "what is qlora"])
def test_real_answers_fit_with_room_to_spare(question: str) -> None:
    reply = pipeline.answer(Question(text=question)).reply
    parts = check(layout(reply, "channel").body(base36(SNOWFLAKE))["components"])
    assert sum(len(part["content"]) for part in parts if part["type"] == 10) < TEXT_CHARS


@given(st.integers(0, 2**63 - 1))
def test_ids_in_base_36(number: int) -> None:
    assert unbase36(base36(str(number))) == str(number)


@given(st.sampled_from(["en", "de"]), st.text(alphabet="ab-_", max_size=40), st.text(min_size=1, max_size=120))
def test_custom_ids_come_back(language: str, state: str, change: str) -> None:
    made = pack(language, base36(SNOWFLAKE), state, change)
    if made is None:
        assert len(change) > 70
        return
    assert len(made) <= LONGEST
    pressed = unpack(made, chosen="seq_len=1")
    assert pressed is not None
    assert pressed.asker == SNOWFLAKE
    assert pressed.change == ("seq_len=1" if change.startswith("?") else change)


@given(st.text(max_size=120))
def test_any_custom_id_is_read(custom_id: str) -> None:
    unpack(custom_id)


def test_the_commands_keep_the_limits() -> None:
    def longest(item: dict[str, Any], key: str) -> int:
        return max(len(text) for text in (item.get(key) or "", *(item.get(f"{key}_localizations") or {}).values()))

    def weight(item: dict[str, Any]) -> int:
        own = longest(item, "name") + longest(item, "description") + sum(map(weight, item.get("options", [])))
        return own + sum(len(choice["name"]) + len(choice["value"]) for choice in item.get("choices", []))

    made = commands()
    assert made[0]["name"] == "whichgpu"
    assert [option["name"] for option in made[0]["options"] if option["required"]] == ["question"]
    for command in made:
        assert weight(command) <= 8000
        for item in (command, *command.get("options", [])):
            if command["type"] == 1:
                names = [item["name"], *item["name_localizations"].values()]
                assert all(1 <= len(n) <= 32 and n == n.lower() and " " not in n for n in names)
                assert 1 <= longest(item, "description") <= 100
            assert len(item.get("choices", [])) <= 25
    setup = next(command for command in made if command["name"] == "whichgpu-setup")
    assert setup["default_member_permissions"] == 32
    assert setup["contexts"] == [0]

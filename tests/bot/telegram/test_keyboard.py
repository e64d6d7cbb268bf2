"""Buttons: their data fits, comes back as it was, and fits a phone."""

from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.telegram.keyboard import DATA_BYTES, MAX_BUTTONS, MAX_IN_ROW, Pressed, keyboard, pack, unpack
from bot.messages import Button, Option, Reply, Select

REPLY = Reply(
    language="de",
    state="abc",
    buttons=(Button(label="8k Kontext", change="seq_len=8192"), Button(label="Warum", change="show=why")),
    selects=(
        Select(
            name="method",
            placeholder="Methode",
            options=(
                Option(label="LoRA", change="method=lora"),
                Option(label="QLoRA", change="method=qlora", chosen=True),
            ),
        ),
    ),
)


def test_a_button_carries_language_query_and_change() -> None:
    rows = keyboard(REPLY)
    labels = [[key["text"] for key in row] for row in rows]
    assert labels == [["8k Kontext", "Warum"], ["QLoRA ▾"]]
    assert unpack(rows[0][0]["callback_data"]) == Pressed("de", "abc", "seq_len=8192")


def test_a_select_opens_below_its_key_and_closes_again() -> None:
    closed, opened = keyboard(REPLY), keyboard(REPLY, opened="method")
    head = unpack(closed[1][0]["callback_data"])
    assert head == Pressed("de", "abc", "!open=method")
    assert [[key["text"] for key in row] for row in opened[1:]] == [["QLoRA ▴"], ["LoRA", "✓ QLoRA"]]
    close = unpack(opened[1][0]["callback_data"])
    assert close == Pressed("de", "abc", "!open=")
    assert keyboard(REPLY, opened="") == closed


def test_nothing_chosen_shows_what_there_is_to_choose() -> None:
    select = REPLY.selects[0].model_copy(update={"options": (Option(label="LoRA", change="method=lora"),)})
    assert keyboard(Reply(selects=(select,)))[0][0]["text"] == "Methode ▾"


def test_the_adapters_own_keys_always_have_room() -> None:
    many = tuple(Button(label=f"b{n}", change=f"n={n}") for n in range(40))
    rows = keyboard(Reply(buttons=many), (("👍", "!up"), ("🗑", "!del")))
    assert [key["text"] for key in rows[-1]] == ["👍", "🗑"]
    assert sum(map(len, rows)) == MAX_BUTTONS


def test_no_buttons_is_no_keyboard() -> None:
    assert keyboard(Reply()) == []


def test_what_does_not_fit_is_left_out() -> None:
    assert pack("en", "s" * 40, "c" * 40) is None
    assert keyboard(Reply(state="s" * 40, buttons=(Button(label="x", change="c" * 40),))) == []


def test_foreign_data_is_refused() -> None:
    for data in ("", "x", "xx|a|b", "en|a", "en|a|", "en|" + "ä" * 40 + "|b"):
        assert unpack(data) is None


@given(st.text(alphabet="abc-_09", max_size=40), st.text(alphabet="abc=._-09", min_size=1, max_size=20))
def test_pack_and_unpack_agree(state: str, change: str) -> None:
    data = pack("en", state, change)
    if data is not None:
        assert len(data.encode()) <= DATA_BYTES
        assert unpack(data) == Pressed("en", state, change)


@given(st.lists(st.text(min_size=1, max_size=40), max_size=40))
def test_rows_stay_narrow(labels: list[str]) -> None:
    for row in keyboard(Reply(buttons=tuple(Button(label=label, change="a=b") for label in labels))):
        assert 1 <= len(row) <= MAX_IN_ROW
        assert all(key["text"].strip() for key in row)

"""A Reply in the terminal: Markdown for a pipe, tables and a bar for a person."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from advisor.advice import Advice, Need, Verdict
from advisor.query import Kind, Query
from bot.adapters.terminal import markdown, segments, show, show_rich, total
from bot.messages import Button, Reply, Table, Text

REPLY = Reply(
    blocks=(
        Text(markdown="**13B with QLoRA: about 10 GiB.**\nLlama-2-13B · 2,048 tokens"),
        Table(header=("stack", "needs"), rows=(("Unsloth", "**10.1 GiB**"), ("TRL + PEFT", "13.2 GiB"))),
    ),
    more=(Text(markdown="Depth behind a fold."),),
    buttons=(Button(label="8k context", change="seq_len=8192"), Button(label="LoRA", change="method=lora")),
)


def need(stack: str, **components: int) -> Need:
    size = sum(components.values())
    return Need(
        stack=stack, trainer=stack, device=size + 100, low=size, high=size + 200, allocated=size, reserved=size,
        components=components,
    )  # fmt: skip


ADVICE = Advice(
    kind=Kind.WHICH_GPU,
    query=Query(),
    verdict=Verdict(code="x"),
    needs=(
        need("unsloth", weights=7 << 30, adapters=1 << 20, logits=1 << 30),
        need("trl", weights=7 << 30, logits=5 << 30),
    ),
)


def drawn(width: int = 80, **options: bool) -> str:
    out = io.StringIO()
    show_rich(Console(file=out, width=width, no_color=True), REPLY, ADVICE, **options)
    return out.getvalue()


def test_markdown_has_all_of_it() -> None:
    text = markdown(REPLY)
    assert text.startswith("**13B with QLoRA")
    assert "| Unsloth | **10.1 GiB** |" in text
    assert "[8k context] [LoRA]" in text
    assert text.endswith("Depth behind a fold.")


def test_a_person_sees_a_table_and_bars() -> None:
    text = drawn()
    assert "10.1 GiB" in text
    assert "**" not in text
    assert text.count("█") > 20
    assert "weights" in text


def test_lines_of_a_text_stay_lines() -> None:
    assert any(line.strip() == "Llama-2-13B · 2,048 tokens" for line in drawn().splitlines())


def test_buttons_can_be_typed_in_a_chat() -> None:
    assert "1 8k context" in drawn(numbered=True)
    assert "1 8k context" not in drawn()


@pytest.mark.parametrize("width", [20, 30, 60, 200])
def test_it_fits_any_window(width: int) -> None:
    assert all(len(line) <= width for line in drawn(width).splitlines())


def test_silence_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    show(Reply(silent=True))
    assert not capsys.readouterr().out


@pytest.mark.parametrize("form", ["telegram", "discord"])
def test_a_platform_shows_what_it_would_be_sent(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip(form)
    show(REPLY, form)
    shown = capsys.readouterr().out
    assert "13B with QLoRA: about 10 GiB." in shown
    assert "[8k context]" in shown


def test_a_pipe_gets_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    show(REPLY)
    assert capsys.readouterr().out.strip() == markdown(REPLY)


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 1 << 40), max_size=8), st.integers(8, 60))
def test_rounding_of_the_parts_never_adds_up(components: dict[str, int], width: int) -> None:
    found = need("x", **components)
    cells = [cells for _, cells in segments(found, width / total(found))]
    assert all(each >= 0 for each in cells)
    assert sum(cells) <= width

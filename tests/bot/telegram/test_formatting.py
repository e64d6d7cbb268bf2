"""Replies in Telegram's forms: hostile text stays text, limits hold, offsets are right."""

from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.tables import table_text
from bot.adapters.telegram.formatting import (
    TEXT_LIMIT,
    caption,
    markdown_pieces,
    pieces,
    rich_html,
    wants_rich,
)
from bot.messages import Reply, Table, Text

NARROW = Table(header=("stack", "needs"), rows=(("Unsloth", "10.1 GiB"), ("TRL", "13.2 GiB")))
WIDE = Table(
    header=("stack", "needs", "12 GB", "16 GB", "24 GB"),
    rows=(("Unsloth", "10.1 GiB (9.6–11.0)", "tight", "yes", "yes"),),
)


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def test_a_short_answer_needs_no_rich_message() -> None:
    assert not wants_rich(Reply(blocks=(Text(markdown="**yes**"),)))
    assert wants_rich(Reply(blocks=(NARROW,)))
    assert wants_rich(Reply(blocks=(Text(markdown="x"),), more=(Text(markdown="why"),)))


def test_a_rich_message_has_the_table_and_folds_the_rest() -> None:
    source = rich_html(Reply(blocks=(Text(markdown="**13B**"), NARROW), more=(Text(markdown="why"),)), "More <b>")
    assert source is not None
    assert "<table>" in source
    assert "<td>10.1 GiB</td>" in source
    assert source.endswith("<details><summary>More &lt;b&gt;</summary><p>why</p></details>")


def test_a_rich_message_that_is_too_long_is_not_one() -> None:
    assert rich_html(Reply(blocks=(Text(markdown="x" * 40_000),)), "More") is None


def test_a_narrow_table_is_monospaced_and_a_wide_one_reads_row_by_row() -> None:
    assert table_text(NARROW).startswith("```\nstack    needs")
    assert table_text(WIDE) == "**Unsloth**\nneeds: 10.1 GiB (9.6–11.0) · 12 GB: tight · 16 GB: yes · 24 GB: yes"


def test_escaped_markup_stays_as_typed() -> None:
    (piece,) = markdown_pieces(r"I do not know \*this\* \_card\_: \<b\>x\</b\> \[a\](b)")
    assert piece.text == "I do not know *this* _card_: <b>x</b> [a](b)"
    assert piece.entities == ()


def test_a_long_text_is_split_and_nothing_is_lost() -> None:
    text = "\n\n".join(f"Paragraph {n} " + "word " * 60 for n in range(40))
    parts = pieces(Reply(blocks=(Text(markdown=text),)))
    assert len(parts) > 1
    assert all(units(part.text) <= TEXT_LIMIT for part in parts)
    assert sum(part.text.count("word") for part in parts) == 40 * 60


def test_the_caption_is_the_title() -> None:
    assert caption(Reply(title="13B: 10 GiB")).text == "13B: 10 GiB"
    assert caption(Reply()).text == ""


@given(st.text(max_size=300))
def test_entities_lie_inside_the_text_whatever_it_is(text: str) -> None:
    for piece in markdown_pieces(f"**{text}** `x` 🙂 *{text}*"):
        for entity in piece.entities:
            assert entity["offset"] >= 0
            assert entity["offset"] + entity["length"] <= units(piece.text)

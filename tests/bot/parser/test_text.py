"""One form for all spellings, a stated length."""

from bot.parser.text import BRACKET, COMMA, GLUED, JOINED, MAX_LENGTH, PARTINGS, STOP, Message, cut, normalise


def test_what_cannot_be_seen_is_gone_and_blanks_are_blanks() -> None:
    assert normalise("Llama\u200b-3\u00a08B") == "llama-3 8b"


def test_full_width_and_typographic_characters() -> None:
    assert normalise("３０９０ × ２ – “ok”") == '3090 x 2 - "ok"'


def test_a_long_text_ends_after_a_word() -> None:
    text = "wort " * 3000
    assert len(text) > MAX_LENGTH
    short = cut(text)
    assert len(short) <= MAX_LENGTH
    assert short.endswith("wort")


def test_a_long_word_is_cut_where_it_must() -> None:
    assert len(cut("x" * 9999)) == MAX_LENGTH


def test_gaps_part_more_or_less() -> None:
    assert [PARTINGS[gap] for gap in ("", " ", " (", ", ", ". ")] == [GLUED, JOINED, BRACKET, COMMA, STOP]


def test_the_x_of_a_count_stands_alone() -> None:
    assert Message.of("8xA100").tokens == ["8", "x", "a100"]
    assert Message.of("2xRTX 3090").tokens == ["2", "x", "rtx", "3090"]
    assert Message.of("7900XTX").tokens == ["7900", "xtx"]
    assert Message.of("8x7B").tokens == ["8", "x", "7", "b"]


def test_scripts_without_blanks_are_read_character_by_character() -> None:
    assert Message.of("7B全参").tokens == ["7", "b", "全", "参"]

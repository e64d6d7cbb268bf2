"""A conversation in the terminal."""

import io

import pytest

from bot.cli.chatting import chat


def test_a_turn_without_small_words_keeps_the_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("3090 oder 4090 für 14b\n12 gb\n"))
    chat(None)
    out = capsys.readouterr().out
    assert "längstes Beispiel" in out
    assert "longest example" not in out

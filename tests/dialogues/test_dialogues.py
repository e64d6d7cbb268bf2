"""Every dialogue is answered word for word as it is written, fits both platforms, and leads with its verdict."""

from pathlib import Path

import pytest

from tests.dialogues.script import LANGUAGES, files, read, replay

ALL = [(language, path) for language in LANGUAGES for path in files(language)]
DISCORD_TEXT = 4000
TELEGRAM_TEXT = 4096


@pytest.mark.parametrize(("language", "path"), ALL, ids=lambda value: value.stem if isinstance(value, Path) else value)
def test_word_for_word(language: str, path: Path) -> None:
    _, turns = read(path)
    assert turns, "no question: a line that starts with '> '"
    assert replay(turns, language) == turns, "the answer has changed: read it, then python -m tests.dialogues"


@pytest.mark.parametrize(("language", "path"), ALL, ids=lambda value: value.stem if isinstance(value, Path) else value)
def test_fits_the_platforms(language: str, path: Path) -> None:
    for turn in read(path)[1]:
        assert len(turn.answered) <= min(DISCORD_TEXT, TELEGRAM_TEXT)


def test_there_are_enough() -> None:
    assert len(files("en")) >= 60
    assert len(files("de")) >= 40

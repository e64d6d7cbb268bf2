import json
import random
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from babel.dates import format_date, format_skeleton
from babel.numbers import parse_pattern

from bot.renderer import signs as module
from bot.renderer.filters import DECIMALS, day, number
from bot.renderer.signs import from_babel, signs
from knowledge.language import LANGUAGES
from tests.paths import ROOT

EDGES = (0, 1, -1, 999, 1000, -1234, 12345.675, 0.5, 1.5, 2.5, 0.05, 0.25, 0.125, 0.995, 1e15, float("inf"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("pattern", DECIMALS)
def test_numbers_read_as_babel_writes_them(language: str, pattern: str) -> None:
    chance = random.Random(1)
    some = (round(chance.uniform(-1, 1) * 10 ** chance.randint(2, 9), chance.randint(0, 4)) for _ in range(500))
    values = [value for value in (*EDGES, *some) if value >= 0 or abs(value) >= 1]
    theirs = parse_pattern(pattern)
    for value in values:
        assert number(value, language, pattern) == theirs.apply(value, language), value


def test_nothing_has_no_sign() -> None:
    assert number(-0.04, "en", "#,##0.0") == "0.0"
    assert number(-0.0, "de") == "0"


@pytest.mark.parametrize("language", LANGUAGES)
def test_dates_read_as_babel_writes_them(language: str) -> None:
    form = "d. MMM y" if language == "de" else "d MMM y"
    for month in range(1, 13):
        assert day(f"2026-{month:02}", language) == format_skeleton("yMMM", date(2026, month, 1), locale=language)
        assert day(f"2026-{month:02}-07", language) == format_date(date(2026, month, 7), form, locale=language)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(module, "homes", lambda: (tmp_path / "package", tmp_path / "user"))
    signs.cache_clear()
    yield tmp_path / "user"
    signs.cache_clear()


def test_what_babel_said_is_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = signs("de")
    signs.cache_clear()
    monkeypatch.setattr(module, "from_babel", lambda language: pytest.fail("asked again"))
    assert signs("de") == first


@pytest.mark.parametrize("content", ["", "{", "[]", '{"babel": [1, 2]}', '{"decimal": "."}', "null", "\x00"])
def test_a_damaged_or_old_file_counts_as_none(home: Path, content: str) -> None:
    home.mkdir()
    (home / "de-signs.json").write_text(content)
    assert signs("de") == from_babel("de")
    assert json.loads((home / "de-signs.json").read_text())["decimal"] == ","


def test_another_babel_is_asked_anew(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    signs("de")
    signs.cache_clear()
    monkeypatch.setattr(module, "_version", lambda: [1, 2])
    monkeypatch.setattr(module, "from_babel", lambda language: from_babel("en"))
    assert signs("de").decimal == "."


def test_a_folder_that_cannot_be_written_costs_only_time(home: Path) -> None:
    home.write_text("a file, not a folder")
    assert signs("en").group == ","


def test_babel_is_not_loaded_for_an_answer() -> None:
    code = "import sys\nfrom bot.pipeline import warm\nwarm()\nwarm()\nprint('babel' in sys.modules)"
    command = [sys.executable, "-c", code]
    for _ in range(2):  # the first one may have to ask
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "False"

"""What is kept between starts is what would be built, and a copy in doubt counts as none."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from knowledge import kept
from tests.paths import ROOT


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The one place where a copy may lie."""

    def copies(name: str, state: str) -> Iterator[Path]:
        yield tmp_path / name

    monkeypatch.setattr(kept, "copies", copies)
    return tmp_path / "thing.json"


def never() -> Any:
    raise AssertionError("built again")


def test_it_is_built_once(copy: Path) -> None:
    assert kept.kept("thing", lambda: {"a": [1, 2]}) == {"a": [1, 2]}
    assert copy.exists()
    assert kept.kept("thing", never) == {"a": [1, 2]}


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b'{"digest": "another", "tree": 1}'])
def test_a_copy_in_doubt_is_built_again(copy: Path, content: bytes) -> None:
    kept.kept("thing", lambda: "sound")
    copy.write_bytes(content)
    assert kept.kept("thing", lambda: "again") == "again"
    assert kept.kept("thing", never) == "again"


def test_every_source_counts(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "a.yaml").write_text("a: 1\n")
    before = set(kept._files(tmp_path, ""))
    (tmp_path / "inner" / "a.yaml").write_text("a: 10\n")
    (tmp_path / ".compiled").mkdir()
    (tmp_path / ".compiled" / "b.yaml").write_text("b: 1\n")
    after = set(kept._files(tmp_path, ""))
    assert len(before) == len(after) == 1
    assert before != after


def test_a_second_start_builds_nothing() -> None:
    code = (
        "from importlib import import_module\n"
        "book, shelf = (import_module(f'bot.parser.{name}') for name in ('models.book', 'cards.shelf'))\n"
        "from bot.messages import Question; from bot import parser\n"
        "import sys\n"
        "if sys.argv[1:]: book._rows = book._index = shelf._index = None\n"
        "print(parser.read(Question(text='13b qlora on a 3090'), None).query.model_dump_json())"
    )
    said = [
        subprocess.run([sys.executable, "-c", code, *second], cwd=ROOT, capture_output=True, check=True).stdout
        for second in ([], ["second"])
    ]
    assert said[0] == said[1] != b""

"""What is kept between starts is what would be built, and a copy in doubt counts as none."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from knowledge import catalog, compiled, kept
from tests.paths import ROOT


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The one place where a copy may lie."""

    def copies(name: str, state: str) -> Iterator[Path]:
        yield tmp_path / name

    monkeypatch.setattr(kept, "copies", copies)
    return tmp_path / "thing.pickle"


def never() -> Any:
    raise AssertionError("built again")


def test_it_is_built_once(copy: Path) -> None:
    assert kept.kept("thing", lambda: {"a": (1, 2)}) == {"a": (1, 2)}
    assert copy.exists()
    assert kept.kept("thing", never) == {"a": (1, 2)}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: b"",
        lambda content: content[:-3],
        lambda content: b"0" * 64 + content[64:],
        lambda content: content[:64] + pickle.dumps(os.system),
        lambda content: content[:64] + pickle.dumps(subprocess.Popen),
    ],
)
def test_a_copy_in_doubt_is_built_again(copy: Path, spoil: Callable[[bytes], bytes]) -> None:
    kept.kept("thing", lambda: "sound")
    copy.write_bytes(spoil(copy.read_bytes()))
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


def test_the_kept_catalog_is_the_one_that_is_built() -> None:
    built = catalog.build(compiled.read_yaml_tree(catalog.FACTS))
    restored = pickle.loads(pickle.dumps(built))
    assert vars(restored) == vars(built)
    assert vars(catalog.load_catalog()).items() >= vars(built).items()


def test_a_second_start_builds_nothing() -> None:
    code = (
        "from bot.parser import phrases; from bot.parser.models import book; from knowledge import catalog\n"
        "from bot.messages import Question; from bot import parser\n"
        "import sys\n"
        "if sys.argv[1:]: phrases.Phrases.__init__ = book._rows = catalog.build = None\n"
        "print(parser.read(Question(text='13b qlora on a 3090'), None).query.model_dump_json())"
    )
    said = [
        subprocess.run([sys.executable, "-c", code, *second], cwd=ROOT, capture_output=True, check=True).stdout
        for second in ([], ["second"])
    ]
    assert said[0] == said[1] != b""

"""The compiled form is equal to the YAML, follows every change, and nothing depends on it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from knowledge import catalog, compiled
from knowledge.faults import KnowledgeFaults
from tests.knowledge.conftest import Facts

GPUS = "gpus/nvidia-datacenter.yaml"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's cache folder, for tests that fall back on it."""
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / "cache" / name)
    return tmp_path / "cache" / "whichgpu" / "compiled"


def copy_of(facts: Facts) -> Path:
    return facts.folder.parent / ".compiled" / "facts.json"


def test_both_forms_of_the_real_facts_are_equal(tmp_path: Path) -> None:
    folder = tmp_path / "facts"
    folder.symlink_to(catalog.FACTS, target_is_directory=True)
    from_yaml = compiled.load_yaml_tree(folder)
    assert (tmp_path / ".compiled" / "facts.json").exists()
    from_copy = compiled.load_yaml_tree(folder)
    assert from_copy == from_yaml == compiled.read_yaml_tree(catalog.FACTS)
    assert list(from_copy) == list(from_yaml)
    assert vars(catalog.build(from_copy)) == vars(catalog.build(from_yaml))


def test_the_copy_is_used_when_the_sources_are_the_same(facts: Facts) -> None:
    compiled.load_yaml_tree(facts.folder)
    stored = json.loads(copy_of(facts).read_text(encoding="utf-8"))
    stored["tree"] = {"from": "the copy"}
    copy_of(facts).write_text(json.dumps(stored), encoding="utf-8")
    assert compiled.load_yaml_tree(facts.folder) == {"from": "the copy"}


@pytest.mark.parametrize("change", ["edit", "same length", "new file", "file gone"])
def test_any_change_of_a_source_is_followed(facts: Facts, change: str) -> None:
    before = compiled.load_yaml_tree(facts.folder)
    if change == "edit":
        facts.change(GPUS, "bandwidth_gb_s: 320", "bandwidth_gb_s: 300.5")
    elif change == "same length":
        facts.change(GPUS, "bandwidth_gb_s: 320", "bandwidth_gb_s: 321")
    elif change == "new file":
        facts.write("gpus/new.yaml", "New: {}\n")
    else:
        (facts.folder / "prices.yaml").unlink()
    after = compiled.load_yaml_tree(facts.folder)
    assert after != before
    assert after == compiled.read_yaml_tree(facts.folder)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff", b'{"digest": "x"}', b'{"tree": {}}'])
def test_a_damaged_copy_counts_as_none(facts: Facts, content: bytes) -> None:
    sound = compiled.load_yaml_tree(facts.folder)
    copy_of(facts).write_bytes(content)
    assert compiled.load_yaml_tree(facts.folder) == sound
    assert json.loads(copy_of(facts).read_bytes())["tree"] == sound


def test_where_the_package_cannot_be_written_the_user_cache_is(facts: Facts, cache: Path) -> None:
    copy_of(facts).parent.write_text("a file where the folder would be")
    sound = compiled.load_yaml_tree(facts.folder)
    (copy,) = cache.glob("facts-*.json")
    assert json.loads(copy.read_bytes())["tree"] == sound
    assert compiled.load_yaml_tree(facts.folder) == sound


def test_where_nothing_can_be_written_the_yaml_is_read(facts: Facts, tmp_path: Path) -> None:
    copy_of(facts).parent.write_text("a file where the folder would be")
    (tmp_path / "cache").write_text("a file where the folder would be")
    assert compiled.load_yaml_tree(facts.folder) == compiled.read_yaml_tree(facts.folder)


def test_no_half_file_is_left_beside_the_copy(facts: Facts) -> None:
    compiled.load_yaml_tree(facts.folder)
    assert sorted(path.name for path in copy_of(facts).parent.iterdir()) == [".gitignore", "facts.json"]


def test_what_is_not_sound_is_not_compiled(facts: Facts) -> None:
    facts.change("prices.yaml", "date: 2026-05, ", "")
    with pytest.raises(KnowledgeFaults):
        catalog.load_catalog(facts.folder)
    assert not copy_of(facts).exists()


def test_processes_that_start_together_all_read_the_same(facts: Facts) -> None:
    load = f"compiled.load_yaml_tree(Path({str(facts.folder)!r}))"
    code = f"from pathlib import Path; from knowledge import compiled; print(len({load}))"
    running = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    answers = {process.communicate(timeout=60)[0].strip() for process in running}
    assert answers == {str(len(compiled.read_yaml_tree(facts.folder)))}


def test_an_empty_folder_is_a_fault_and_not_an_empty_catalog(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeFaults, match="holds no file"):
        compiled.load_yaml_tree(tmp_path)


def test_as_texts_nothing_becomes_a_truth_value(tmp_path: Path) -> None:
    folder = tmp_path / "en"
    folder.mkdir()
    (folder / "phrases.yaml").write_text("stop: [no, 3090, on, 2026-05-07]\n")
    assert compiled.load_yaml_tree(folder, "phrases.yaml", texts=True) == {
        "phrases.yaml": {"stop": ["no", "3090", "on", "2026-05-07"]}
    }


def test_equal_texts_are_kept_once(tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    tree = {"a": ["a text", {"b": "a text"}], "c": "a text", "d": [1, None, [], {}]}
    assert compiled.store(copy, compiled.as_json("state", tree))
    found = compiled.load(copy, "state")
    assert found == tree
    assert found["a"][0] is found["a"][1]["b"] is found["c"]

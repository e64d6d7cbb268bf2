import json
from pathlib import Path

import pytest

from deploy import audit
from deploy.audit import Skipped, judge


def report(*packages: dict[str, object]) -> str:
    return json.dumps({"dependencies": list(packages), "fixes": []})


def package(name: str, *vulns: dict[str, object]) -> dict[str, object]:
    return {"name": name, "version": "1.0", "vulns": list(vulns)}


def test_a_fix_that_waits_fails_the_gate() -> None:
    lines, act = judge(report(package("a"), package("b", {"id": "PYSEC-1", "fix_versions": ["1.1", "2.0"]})))
    assert act
    assert lines == ["b 1.0: PYSEC-1, fixed in 1.1, 2.0", "2 of 2 packages looked up, 1 advisories"]


def test_what_has_no_fix_is_shown_and_does_not_fail() -> None:
    lines, act = judge(report(package("b", {"id": "PYSEC-1", "fix_versions": []})))
    assert not act
    assert "no fix yet" in lines[0]


def test_an_index_without_advisories_is_said() -> None:
    with pytest.raises(Skipped, match="no advisories"):
        judge(report({"name": "a", "skip_reason": "not found"}))


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "Traceback"])
def test_an_unreadable_report_is_said(text: str) -> None:
    with pytest.raises(Skipped, match="cannot be read"):
        judge(text)


def tool(folder: Path, script: str) -> Path:
    file = folder / "pip-audit"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return file


@pytest.mark.parametrize(
    ("script", "said", "status"),
    [
        ("echo 'no route to host' >&2; exit 1", "skipped: the advisories cannot be reached (no route to host)", 0),
        ("exec sleep 30", "skipped: the advisories took longer than 1 s", 0),
        ("""echo '{"dependencies": [{"name": "a", "version": "1", "vulns": []}]}'""", "1 of 1 packages", 0),
        (
            """echo '{"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "X", "fix_versions": ["2"]}]}]}'
            exit 1""",
            "deploy/lock --upgrade-package",
            1,
        ),
    ],
)
def test_the_whole_way(
    script: str,
    said: str,
    status: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = tool(tmp_path, script)
    monkeypatch.setattr(audit, "tool", lambda: found)
    monkeypatch.setattr(audit, "AUDIT_SECONDS", 1)
    monkeypatch.setattr("sys.argv", ["audit"])
    assert audit.main() == status
    assert said in capsys.readouterr().out


def test_a_tool_that_cannot_be_installed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "TOOL", tmp_path)
    (tmp_path / "bin").mkdir()
    tool(tmp_path / "bin", "echo 'no such index' >&2; exit 1").rename(tmp_path / "bin" / "pip")
    monkeypatch.setattr("venv.create", lambda *values, **named: None)
    with pytest.raises(Skipped, match=r"the tool cannot be reached \(no such index\)"):
        audit.tool()

"""The command line: questions, batches, broken input, and what it may import."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
QUIET = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "WHICHGPU_"))}


def run(*arguments: str, feed: bytes = b"", env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "bot", *arguments]
    return subprocess.run(
        command, cwd=ROOT, input=feed, capture_output=True, env=QUIET | dict(env or {}), check=False, timeout=120
    )


def lines_of(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def test_one_question() -> None:
    done = run("ask", "13b qlora")
    text = done.stdout.decode()
    assert done.returncode == 0
    assert "13" in text.splitlines()[0]
    assert "GiB" in text.splitlines()[0]
    assert not done.stderr


def test_words_without_quotes_are_one_question() -> None:
    assert run("ask", "13b", "qlora").stdout == run("ask", "13b qlora").stdout


def test_a_question_from_a_pipe() -> None:
    assert run("ask", feed=b"13b qlora\n").stdout == run("ask", "13b qlora").stdout


def test_json_has_what_the_contract_says() -> None:
    done = run("ask", "--json", "can I finetune llama 3.1 8b on a 3060 12GB at 4k context?")
    (found,) = lines_of(done)
    assert list(found) == ["id", "kind", "silent", "query", "stated", "advice", "reply"]
    assert found["kind"] == "fits_check"
    assert found["silent"] is False
    assert found["query"]["model"] == "meta-llama/Llama-3.1-8B"
    assert found["query"]["seq_len"] == 4096
    (card,) = found["query"]["gpus"]
    assert (card["name"], card["count"], card["vram_gb"]) == ("GeForce RTX 3060 12GB", 1, 12)
    assert {"model", "seq_len", "gpus"} <= set(found["stated"])
    assert set(found["reply"]) == {"text", "language"}


def test_the_language_is_asked_for_or_that_of_the_text_or_of_the_system() -> None:
    def language(*arguments: str, **env: str) -> str:
        (found,) = lines_of(run("ask", "--json", *arguments, env=env))
        return str(found["reply"]["language"])

    assert language("13b qlora", "--lang", "de") == "de"
    assert language("Reicht eine 3090 für QLoRA mit 13B?") == "de"
    assert language("13b qlora", LANG="de_AT.UTF-8") == "de"
    assert language("13b qlora", LANG="fr_FR.UTF-8") == "en"


def test_batch_answers_every_line_it_can() -> None:
    feed = b"\n".join(
        [
            b'{"id": "a", "text": "13b qlora"}',
            b"not json",
            b"",
            b'["13b qlora"]',
            b'{"id": 7}',
            b'{"id": "b", "text": 5}',
            b'{"id": null, "text": "what is qlora", "lang": "de"}',
            b'{"id": "c", "text": "anyone up for a round of cs2 tonight?", "channel": "help_channel"}',
            b'{"id": "d", "text": "13b qlora", "channel": "somewhere"}',
            b"\xff\xfe\x00",
            b'{"id": "e", "text": "\xf0\x9f\x98\x80 \\ud800"}',
            b"[" * 100_000,
            b'{"id": "\\ud800", "text": "13b qlora"}',
        ]
    )
    found = lines_of(run("ask", "--batch", "-", feed=feed))
    by_id = {str(row["id"]): row for row in found if "error" not in row}
    faults = [(row["id"], row["line"], row["error"]["code"]) for row in found if "error" in row]
    assert set(by_id) == {"a", "None", "c", "e", "\ud800"}
    assert by_id["None"]["reply"]["language"] == "de"
    assert by_id["c"]["silent"] is True
    assert faults == [
        (None, 2, "not_json"),
        (None, 4, "not_an_object"),
        (7, 5, "no_text"),
        ("b", 6, "no_text"),
        ("d", 9, "bad_channel"),
        (None, 10, "not_json"),
        (None, 12, "not_json"),
    ]
    assert all(set(row["error"]) == {"code", "message", "fix"} for row in found if "error" in row)


def test_batch_from_a_file_and_a_line_too_long(tmp_path: Path) -> None:
    source = tmp_path / "questions.jsonl"
    long = b'{"id": "x", "text": "' + b"a" * 2_500_000 + b'"}'
    source.write_bytes(long + b"\n" + b'\xef\xbb\xbf{"id": "a", "text": "13b qlora"}')
    long_line, short = lines_of(run("ask", "--batch", str(source)))
    assert long_line["error"]["code"] == "line_too_long"
    assert short["id"] == "a"


def test_batch_streams() -> None:
    """The answer to the first line comes before the second line is written."""
    command = [sys.executable, "-m", "bot", "ask", "--batch", "-"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=QUIET) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for name in ("a", "b"):
            process.stdin.write(json.dumps({"id": name, "text": "13b qlora"}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == name
        process.stdin.close()
        assert process.wait(30) == 0


def test_a_reader_that_goes_away_is_no_fault() -> None:
    command = [sys.executable, "-m", "bot", "ask", "--batch", "-"]
    feed = b'{"id": 1, "text": "13b qlora"}\n' * 200
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=QUIET
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdin is not None
        process.stdout.close()
        try:
            process.stdin.write(feed)
            process.stdin.close()
        except BrokenPipeError:
            pass
        process.wait(60)
        assert b"Traceback" not in process.stderr.read()


@pytest.mark.parametrize("text", ["", " ", "😀", "\x00\x07", "a" * 10_000, "🙃🙃🙃", "؟", "-", "<script>", "{{7*7}}"])
def test_odd_texts_get_a_short_help(text: str) -> None:
    feed = json.dumps({"id": 1, "text": text}).encode()
    (found,) = lines_of(run("ask", "--batch", "-", feed=feed))
    assert found["silent"] is False
    assert found["reply"]["text"]
    assert "error" not in found


@pytest.mark.parametrize(
    "arguments", [("ask", "--batch", "no/such/file"), ("ask", "x", "--format", "html"), ("nonsense",)]
)
def test_a_wrong_command_says_so_without_a_traceback(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode in (1, 2)
    assert done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", ["ask 13b qlora", "ask --json 13b qlora", "measured"])
def test_a_reader_that_has_read_enough_sees_no_traceback(arguments: str) -> None:
    command = [sys.executable, "-m", "bot", *arguments.split()]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=QUIET) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""


@pytest.mark.parametrize("arguments", [("ask", "13b qlora"), ("serve",), ("chat",)])
def test_nothing_starts_with_a_broken_knowledge_file(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """Every fault of the facts at once, with its file; no apology, no traceback."""
    _copy(tmp_path)
    (tmp_path / "knowledge" / "facts" / "tiers.yaml").write_text("16gb: {no_such_field: 1}\n")
    (tmp_path / "knowledge" / "facts" / "ranking.yaml").write_text("rtx-5090: {place: first}\n")
    done = _there(tmp_path, *arguments)
    assert done.returncode == 2, done.stderr.decode()
    assert b"tiers.yaml" in done.stderr
    assert b"ranking.yaml" in done.stderr
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""


@pytest.mark.parametrize("arguments", [("ask", "13b qlora"), ("serve",)])
def test_nothing_starts_with_a_broken_page(arguments: tuple[str, ...], tmp_path: Path) -> None:
    _copy(tmp_path)
    page = tmp_path / "knowledge" / "lang" / "de" / "faq" / "qlora.md"
    page.write_text(
        page.read_text(encoding="utf-8").replace("related: [", "related: [no-such-page, "), encoding="utf-8"
    )
    done = _there(tmp_path, *arguments)
    assert done.returncode == 2, done.stderr.decode()
    assert b"qlora.md" in done.stderr
    assert b"no-such-page" in done.stderr
    assert b"Traceback" not in done.stderr


def _copy(folder: Path) -> None:
    for package in ("bot", "advisor", "knowledge"):
        left_out = shutil.ignore_patterns("__pycache__", ".compiled")
        shutil.copytree(ROOT / package, folder / package, ignore=left_out)


def _there(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    token = {"WHICHGPU_TELEGRAM_TOKEN": f"1:{'a' * 35}", "WHICHGPU_STATE_DIR": str(folder / "state")}
    command = [sys.executable, "-m", "bot", *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, env=QUIET | token, stdin=subprocess.DEVNULL, check=False, timeout=120
    )


def test_the_path_of_an_answer_imports_no_platform_and_no_database() -> None:
    code = (
        "import sys; from bot.__main__ import main\n"
        "sys.argv[1:] = ['ask', 'can I finetune llama 3.1 8b on a 3060 12GB at 4k context?']\n"
        "main()\n"
        "print(*sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    there = set(done.stderr.split())
    assert "bot" in there
    assert not there & {
        "discord",
        "telegram",
        "sqlalchemy",
        "aiosqlite",
        "aiohttp",
        "numpy",
        "structlog",
        "rich",
        "typer",
    }


def test_chat_remembers_and_presses_buttons() -> None:
    done = run(
        "chat", feed=b"can I finetune llama 3.1 8b on a 3060 12GB with unsloth?\nand with 8k context?\n1\nexit\n13b\n"
    )
    text = done.stdout.decode()
    assert done.returncode == 0
    assert not done.stderr
    answers = [line for line in text.splitlines() if line.startswith("**")]
    assert len(answers) >= 3
    assert "8k tokens" in text or "8,192" in text


def test_version_and_help() -> None:
    assert b"ask" in run("--help").stdout
    assert run("--version").stdout.strip()

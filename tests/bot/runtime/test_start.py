import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.start import has_token
from tests.paths import ROOT

CODE = """
import sys
from bot.start import lean_imports
lean_imports()
import bot.app
from bot.store import Store
from bot import pipeline
import asyncio
async def main():
    pipeline.warm()
    store = await Store.open("sqlite+aiosqlite://")
    await store.set_note("a", "b")
    await store.close()
asyncio.run(main())
print(*sorted({".".join(module.split(".")[:3]) for module in sys.modules}))
"""


def test_what_is_not_used_is_not_loaded() -> None:
    for _ in range(2):  # the first one may have to compile the knowledge
        done = subprocess.run(
            [sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
        )
    loaded = set(done.stdout.split())
    assert "sqlalchemy.engine" in loaded
    unused = {
        "rich",
        "rich.console",
        "pygments",
        "alembic",
        "huggingface_hub",
        "discord",
        "telegram",
        "rapidfuzz",
        "babel",
    }
    assert not (unused | {"sqlalchemy.orm", "sqlalchemy.dialects.postgresql", "asyncpg"}) & loaded


def test_only_platforms_with_a_token_are_loaded_first(tmp_path: Path) -> None:
    empty = tmp_path / "discord_token"
    empty.touch()
    given = {"WHICHGPU_TELEGRAM_TOKEN": "1:a", "WHICHGPU_DISCORD_TOKEN_FILE": str(empty)}
    code = "import sys; from bot.start import *; lean_imports(); largest_first(); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=os.environ | given, capture_output=True, text=True, check=True
    )
    assert {"telegram", "discord"} & set(done.stdout.split()) == {"telegram"}


def test_a_token_is_a_variable_or_a_file_with_something_in_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("WHICHGPU_DISCORD_TOKEN", "WHICHGPU_DISCORD_TOKEN_FILE"):
        monkeypatch.delenv(name, raising=False)
    assert not has_token("discord")
    file = tmp_path / "token"
    monkeypatch.setenv("WHICHGPU_DISCORD_TOKEN_FILE", str(file))
    assert not has_token("discord")
    file.write_text("a token", encoding="utf-8")
    assert has_token("discord")
    monkeypatch.delenv("WHICHGPU_DISCORD_TOKEN_FILE")
    monkeypatch.setenv("WHICHGPU_DISCORD_TOKEN", "a token")
    assert has_token("discord")

import asyncio
import contextlib
import io
import json
import logging
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import structlog

from bot import app as app_module
from bot.adapters.base import PlatformGone, Services
from bot.app import App
from bot.log import set_up_log
from bot.settings import Settings
from bot.store import Store
from tests.bot.runtime.conftest import until
from tests.bot.runtime.fakes import FakePlatform
from tests.paths import ROOT

TOKEN = "123456:AAsecretTelegramToken"


def settings_for(folder: Path, **changes: Any) -> Settings:
    return Settings(telegram_token=TOKEN, state_dir=folder, http_listen="127.0.0.1:0", hub="off", **changes)  # type: ignore[arg-type]


@contextlib.asynccontextmanager
async def running(
    folder: Path, adapters: dict[str, Callable[[Services], FakePlatform]] | None = None, **changes: Any
) -> AsyncIterator[App]:
    settings = settings_for(folder, **changes)
    store = await Store.open(settings.database)
    app = App(settings, store, adapters or {"telegram": FakePlatform})
    task = asyncio.create_task(app.run())
    await until(lambda: app.health.port or not settings.http_listen)
    try:
        yield app
    finally:
        app.stop.set()
        await asyncio.wait_for(task, 15)
        await store.close()


async def get(app: App, path: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{app.health.port}{path}") as response:
        return response.status, await response.text()


async def test_a_question_is_answered_and_seen_in_health_and_metrics(tmp_path: Path) -> None:
    async with running(tmp_path) as app:
        platform: Any = app.adapters["telegram"]
        await until(lambda: platform.ready)
        await platform.say("13b qlora")
        await until(lambda: platform.sent and not app.inbox.busy)
        assert "GiB" in platform.sent[0][1]
        assert (await get(app, "/healthz"))[0] == 200
        status, body = await get(app, "/readyz")
        assert (status, json.loads(body)["platforms"]) == (200, {"telegram": "connected"})
        _, metrics = await get(app, "/metrics")
        assert "whichgpu_inbox_waiting 0.0" in metrics
        asked = [
            line
            for line in metrics.splitlines()
            if line.startswith("whichgpu_questions_total{") and 'outcome="answered"' in line
        ]
        assert asked
        assert "13b" not in metrics
    assert platform.closed


async def test_a_follow_up_goes_on_from_the_conversation(tmp_path: Path) -> None:
    async with running(tmp_path) as app:
        platform: Any = app.adapters["telegram"]
        await platform.say("qlora for llama 3.1 8b on a 3060 12gb")
        await until(lambda: len(platform.sent) == 1)
        await platform.say("and with 8k context?")
        await until(lambda: len(platform.sent) == 2)
        known = await app.store.known("telegram", "1", "ann")
        assert known.query is not None
        assert known.query.seq_len == 8192
        assert known.query.model is not None


async def test_an_adapter_that_fails_is_started_again_and_the_other_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app_module, "PAUSES", (0.01, 0.02))

    def fail(run: int) -> None:
        if run < 4:
            raise ConnectionError("no network")

    class Other(FakePlatform):
        name = "discord"

    adapters = {"telegram": lambda s: FakePlatform(s, fail), "discord": Other}
    async with running(tmp_path, adapters) as app:
        await until(lambda: all(a.ready for a in app.adapters.values()))
        assert [a.runs for a in app.adapters.values()] == [4, 1]  # type: ignore[attr-defined]


async def test_the_log_says_when_a_platform_is_connected_and_when_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app_module, "TELL_SECONDS", 0.01)
    with structlog.testing.capture_logs() as told:
        async with running(tmp_path) as app:
            platform: Any = app.adapters["telegram"]
            for ready, event in ((True, "platform.connected"), (False, "platform.disconnected")):
                platform.ready, platform.trouble = ready, "no network"
                await until(lambda event=event: any(line["event"] == event for line in told))
    (lost,) = [line for line in told if line["event"] == "platform.disconnected"]
    assert lost["reason"] == "no network"


async def test_a_revoked_token_stops_that_platform_only(tmp_path: Path) -> None:
    def revoked(run: int) -> None:
        raise PlatformGone("Telegram refuses the token", "get a new one from @BotFather")

    class Other(FakePlatform):
        name = "discord"

    async with running(tmp_path, {"telegram": lambda s: FakePlatform(s, revoked), "discord": Other}) as app:
        discord: Any = app.adapters["discord"]
        await until(lambda: app.gone and discord.ready)
        status, body = await get(app, "/readyz")
        assert status == 503
        assert "@BotFather" in json.loads(body)["platforms"]["telegram"]
        assert (await get(app, "/healthz"))[0] == 200
        await discord.say("13b qlora")
        await until(lambda: discord.sent)


async def test_with_no_platform_left_the_process_ends(tmp_path: Path) -> None:
    def revoked(run: int) -> None:
        raise PlatformGone("Telegram refuses the token", "get a new one from @BotFather")

    settings = settings_for(tmp_path)
    store = await Store.open(settings.database)
    app = App(settings, store, {"telegram": lambda s: FakePlatform(s, revoked)})
    await asyncio.wait_for(app.run(), 10)
    assert not app.stop.is_set()
    await store.close()


async def test_stopping_finishes_what_was_begun(tmp_path: Path) -> None:
    async with running(tmp_path) as app:
        platform: Any = app.adapters["telegram"]
        platform.hold = asyncio.Event()
        await until(lambda: not app.inbox._more)
        await platform.say("13b qlora")
        await until(lambda: app.inbox.busy)
        app.stop.set()
        await asyncio.sleep(0.05)
        platform.hold.set()
    assert len(platform.sent) == 1


async def test_a_port_that_is_taken_does_not_keep_the_bot_from_answering(tmp_path: Path) -> None:
    async with running(tmp_path / "a") as first:
        settings = settings_for(tmp_path / "b").model_copy(update={"http_listen": f"127.0.0.1:{first.health.port}"})
        store = await Store.open(settings.database)
        second = App(settings, store, {"telegram": FakePlatform})
        task = asyncio.create_task(second.run())
        platform: Any = second.adapters["telegram"]
        await platform.say("13b qlora")
        await until(lambda: platform.sent)
        second.stop.set()
        await task
        await store.close()


async def test_too_many_questions_one_word_then_silence(tmp_path: Path) -> None:
    async with running(tmp_path, rate_user=4) as app:
        platform: Any = app.adapters["telegram"]
        for _ in range(6):
            await platform.say("13b qlora")
        await until(lambda: app.inbox.busy == 0 and len(platform.sent) == 3)
        await asyncio.sleep(0.05)
    assert [("GiB" in text) for _, text in platform.sent] == [True, True, False]


@pytest.mark.parametrize("log_format", ["console", "json"])
async def test_neither_words_nor_secrets_are_in_logs_or_the_database(tmp_path: Path, log_format: str) -> None:
    stream = io.StringIO()
    changes: dict[str, Any] = {
        "log_format": log_format,
        "log_level": "debug",
        "discord_token": "MTAsecretDiscord.token",
    }
    set_up_log(settings_for(tmp_path, **changes), stream)
    words = "my secret llama 3.1 8b finetune on a 3060 with zzyzx"

    def leak(run: int) -> None:
        logging.getLogger("httpx").warning("POST https://api.telegram.org/bot%s/getMe", TOKEN)
        if run == 1:
            raise ConnectionError(f"cannot reach https://api.telegram.org/bot{TOKEN}/getMe with MTAsecretDiscord.token")

    async with running(tmp_path, {"telegram": lambda s: FakePlatform(s, leak)}, **changes) as app:
        platform: Any = app.adapters["telegram"]
        await platform.say(words)
        await until(lambda: platform.sent)
        await platform.say("\0" + words * 50, person="bob")
        await until(lambda: len(platform.sent) == 2)
    log = stream.getvalue()
    assert "platform.failed" in log
    assert "[hidden]" in log
    for secret in (TOKEN, "MTAsecretDiscord.token", app.settings.webhook_secret, "zzyzx"):
        assert secret not in log
    with contextlib.closing(sqlite3.connect(tmp_path / "whichgpu.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    held = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())  # noqa: ASYNC240 - at the end
    for secret in (TOKEN, "MTAsecretDiscord.token", app.settings.webhook_secret):
        assert secret.encode() not in held
    with contextlib.closing(sqlite3.connect(tmp_path / "whichgpu.db")) as connection:
        assert "zzyzx" not in "\n".join(connection.iterdump())


def _whichgpu(
    *arguments: str, folder: Path, timeout: float = 60, **environment: str
) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("WHICHGPU_")}
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments], cwd=ROOT, capture_output=True, text=True,
        timeout=timeout, check=False,
        env={**clean, "WHICHGPU_STATE_DIR": str(folder), "WHICHGPU_HTTP_LISTEN": "", **environment},
    )  # fmt: skip


def test_without_a_token_serve_says_what_to_set(tmp_path: Path) -> None:
    done = _whichgpu("serve", folder=tmp_path)
    assert done.returncode == 1
    assert "WHICHGPU_TELEGRAM_TOKEN" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_mistyped_token_variable_is_named(tmp_path: Path) -> None:
    done = _whichgpu("serve", folder=tmp_path, WHICHGPU_TELEGRAM_TOKN="1:x")
    assert done.returncode == 1
    assert "did you mean WHICHGPU_TELEGRAM_TOKEN?" in done.stderr


async def test_erasing_beside_a_bot_that_serves_says_what_is_left(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'whichgpu.db'}")
    done = await asyncio.to_thread(_whichgpu, "db", "forget", "telegram:1", folder=tmp_path)
    assert "restart it" in done.stdout
    await store.close()
    done = await asyncio.to_thread(_whichgpu, "db", "forget", "telegram:1", folder=tmp_path)
    assert done.stdout == "0 rows erased\n"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root, as on a server")
def test_what_root_does_by_hand_leaves_the_service_its_files(tmp_path: Path) -> None:
    os.chown(tmp_path, 61_000, 61_000)
    assert _whichgpu("db", "upgrade", folder=tmp_path).returncode == 0
    backup = _whichgpu("db", "backup", folder=tmp_path).stdout.strip()
    assert _whichgpu("db", "restore", backup, folder=tmp_path).returncode == 0
    _whichgpu("doctor", "--offline", folder=tmp_path)
    made = [path for path in tmp_path.rglob("*") if path != tmp_path]
    assert {"whichgpu.db", Path(backup).name} <= {path.name for path in made}
    assert {path.name: path.stat().st_uid for path in made} == dict.fromkeys((path.name for path in made), 61_000)


def test_a_corrupt_database_refuses_with_the_command_that_restores_it(tmp_path: Path) -> None:
    assert _whichgpu("db", "upgrade", folder=tmp_path).returncode == 0
    backup = _whichgpu("db", "backup", folder=tmp_path).stdout.strip()
    (tmp_path / "whichgpu.db").write_bytes(b"garbage" * 10_000)
    done = _whichgpu(
        "serve", folder=tmp_path, WHICHGPU_TELEGRAM_TOKEN="1:x", WHICHGPU_TELEGRAM_API_URL="http://127.0.0.1:9/bot"
    )
    assert done.returncode == 1
    assert f"whichgpu db restore {backup}," in done.stderr
    assert "Traceback" not in done.stderr
    assert _whichgpu("db", "check", folder=tmp_path).returncode == 1
    restored = _whichgpu("db", "restore", backup, folder=tmp_path)
    assert restored.returncode == 0, restored.stderr
    assert "is kept as" in restored.stdout
    assert _whichgpu("db", "check", folder=tmp_path).returncode == 0
    assert list(tmp_path.glob("whichgpu.db.before-*"))


def test_stats_and_doctor_in_words_and_json(tmp_path: Path) -> None:
    async def fill() -> None:
        store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'whichgpu.db'}")
        store.tally.asked("telegram", "fits_check", "answered", "de")
        store.tally.unknown("gpu", "RTX 9090 Ti")
        await store.close()

    asyncio.run(fill())
    found = json.loads(_whichgpu("stats", "--json", folder=tmp_path).stdout)
    assert found["questions"] == [{"platform": "telegram", "kind": "fits_check", "count": 1}]
    assert found["unknown names"][0]["name"] == "rtx 9090 ti"
    assert "rtx 9090 ti" in _whichgpu("stats", folder=tmp_path).stdout
    done = _whichgpu("doctor", "--offline", folder=tmp_path)
    assert done.returncode == 1
    assert "WHICHGPU_DISCORD_TOKEN" in done.stdout
    done = _whichgpu(
        "doctor", "--offline", folder=tmp_path, WHICHGPU_TELEGRAM_TOKEN="1:x", WHICHGPU_TELEGRAM_TOKN="1:y"
    )
    assert done.returncode == 0, done.stdout
    assert "did you mean" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_sigterm_ends_in_time_even_when_the_platform_is_away(tmp_path: Path) -> None:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("WHICHGPU_")}
    environment = {**clean, "WHICHGPU_STATE_DIR": str(tmp_path), "WHICHGPU_HTTP_LISTEN": "",
                   "WHICHGPU_TELEGRAM_TOKEN": "1:x", "WHICHGPU_LOG_FORMAT": "json",
                   "WHICHGPU_TELEGRAM_API_URL": "http://127.0.0.1:9/bot"}  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "serve"], cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "app.starting" in line:
            break
    time.sleep(0.3)
    process.send_signal(signal.SIGTERM)
    assert process.wait(11) == 0
    process.stderr.close()

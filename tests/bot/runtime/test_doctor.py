import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web

from bot.doctor import check_database, check_knowledge, check_settings, examine
from bot.doctor_platforms import check_discord, check_hub, check_telegram
from bot.settings import Settings

TELEGRAM, DISCORD = "123456:AAsecret", "MTAsecret.x.y"


class Platforms:
    """Telegram, Discord and the Hub, as the test wants them."""

    def __init__(self) -> None:
        self.status = 200
        self.date: str | None = None
        self.bodies: dict[str, Any] = {
            "getMe": {"ok": True, "result": {"username": "gpu_bot", "supports_inline_queries": True}},
            "getWebhookInfo": {"ok": True, "result": {"url": "", "pending_update_count": 0}},
            "users/@me": {"username": "whichgpu"},
            "applications/@me": {"flags": 0},
            "gateway/bot": {"session_start_limit": {"remaining": 900}},
            "models/gpt2": {},
        }

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body = next((body for end, body in self.bodies.items() if request.path.endswith(end)), {})
        headers = {"Date": self.date} if self.date else {}
        return web.json_response(body, status=self.status, headers=headers)


@pytest_asyncio.fixture
async def platforms() -> AsyncIterator[tuple[Platforms, str]]:
    fake = Platforms()
    server = web.Application()
    server.router.add_route("*", "/{path:.*}", fake.answer)
    runner = web.AppRunner(server)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield fake, f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


def settings(url: str, folder: Path, **more: Any) -> Settings:
    given: dict[str, Any] = {
        "telegram_token": TELEGRAM, "telegram_api_url": f"{url}/bot", "discord_token": DISCORD,
        "discord_api_url": f"{url}/api/v10", "hf_endpoint": url, "state_dir": folder,
    }  # fmt: skip
    return Settings(**{**given, **more})


async def test_all_well(platforms: tuple[Platforms, str], tmp_path: Path) -> None:
    found = await examine(settings(platforms[1], tmp_path), offline=False)
    assert {finding.how for finding in found} == {"good"}, [str(f) for f in found]
    text = "\n".join(map(str, found))
    assert "@gpu_bot" in text
    assert "whichgpu" in text
    for secret in (TELEGRAM, DISCORD, "AAsecret"):
        assert secret not in text


@pytest.mark.parametrize("status", [401, 404])
async def test_a_refused_telegram_token(platforms: tuple[Platforms, str], tmp_path: Path, status: int) -> None:
    platforms[0].status = status
    (finding,) = await check_telegram(settings(platforms[1], tmp_path))
    assert finding.how == "bad"
    assert "@BotFather" in finding.cure


async def test_a_refused_discord_token(platforms: tuple[Platforms, str], tmp_path: Path) -> None:
    platforms[0].status = 401
    (finding,) = await check_discord(settings(platforms[1], tmp_path))
    assert finding.how == "bad"
    assert "Reset Token" in finding.cure


async def test_the_intent_that_is_asked_for_must_be_granted(platforms: tuple[Platforms, str], tmp_path: Path) -> None:
    wanted = settings(platforms[1], tmp_path, discord_message_content=True)
    assert any(f.how == "bad" and "intent" in f.what for f in await check_discord(wanted))
    platforms[0].bodies["applications/@me"] = {"flags": 1 << 19}
    assert all(f.how == "good" for f in await check_discord(wanted))


async def test_a_webhook_that_telegram_cannot_reach(platforms: tuple[Platforms, str], tmp_path: Path) -> None:
    platforms[0].bodies["getWebhookInfo"] = {"ok": True, "result": {
        "url": "https://gpu.example/hook", "pending_update_count": 500,
        "last_error_date": time.time() - 60, "last_error_message": "Connection refused"}}  # fmt: skip
    found = await check_telegram(settings(platforms[1], tmp_path, telegram_webhook_url="https://gpu.example/hook"))
    assert [f.how for f in found] == ["good", "bad", "warn"]
    found = await check_telegram(settings(platforms[1], tmp_path))
    assert any("a webhook is set" in f.what for f in found)


async def test_a_clock_that_is_wrong(platforms: tuple[Platforms, str], tmp_path: Path) -> None:
    platforms[0].date = "Wed, 01 Jan 2020 00:00:00 GMT"
    assert any("clock" in f.what for f in await check_telegram(settings(platforms[1], tmp_path)))


async def test_nobody_there(tmp_path: Path) -> None:
    away = settings("http://127.0.0.1:9", tmp_path)
    assert [f.how for f in await check_telegram(away)] == ["bad"]
    assert [f.how for f in await check_discord(away)] == ["bad"]
    assert [f.how for f in await check_hub(away)] == ["warn"]


async def test_a_corrupt_database_and_what_was_set_aside(tmp_path: Path) -> None:
    (tmp_path / "whichgpu.db").write_bytes(b"garbage" * 1_000)
    (finding,) = await check_database(settings("http://127.0.0.1:9", tmp_path))
    assert finding.how == "bad"
    assert "whichgpu db restore" in finding.what


async def test_settings_and_knowledge(tmp_path: Path) -> None:
    found = await check_settings(Settings(state_dir=tmp_path, http_listen="0.0.0.0:8080"))
    assert [f.how for f in found] == ["bad", "warn"]
    assert [f.how for f in await check_knowledge(Settings(state_dir=tmp_path))] == ["good"]

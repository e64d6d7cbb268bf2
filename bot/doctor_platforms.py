"""The doctor's questions to Telegram, Discord and the Hub: tokens, webhook, intents, clock."""

import time
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp

from bot.doctor import Finding
from bot.settings import Settings

SECONDS = 8.0
SKEW_SECONDS = 60.0
MESSAGE_CONTENT_FLAGS = (1 << 18) | (1 << 19)
"""GATEWAY_MESSAGE_CONTENT and its form for bots in fewer than 100 servers, in an application's flags."""


async def _ask(url: str, headers: dict[str, str] | None = None) -> tuple[int, dict[str, Any], float | None]:
    """Status, JSON and how far our clock is ahead of the server's (seconds). Raises OSError or aiohttp.ClientError."""
    async with (
        aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=SECONDS)) as session,
        session.get(url, headers=headers) as response,
    ):
        try:
            body = await response.json(content_type=None)
        except ValueError:
            body = {}
        date = response.headers.get("Date")
        try:
            skew = time.time() - parsedate_to_datetime(date).timestamp() if date else None
        except (TypeError, ValueError):
            skew = None
        return response.status, body if isinstance(body, dict) else {}, skew


def _clock(skew: float | None, of: str) -> list[Finding]:
    if skew is None or abs(skew) < SKEW_SECONDS:
        return []
    return [
        Finding(
            "warn",
            f"this clock is {skew:+.0f} s against {of}'s",
            "switch on time synchronisation (timedatectl set-ntp true)",
        )
    ]


def _unreachable(name: str, error: Exception) -> list[Finding]:
    return [
        Finding(
            "bad",
            f"{name} cannot be reached ({type(error).__name__})",
            "check the network, proxy and the address in the settings",
        )
    ]


async def check_telegram(settings: Settings) -> list[Finding]:
    """The token, the webhook, and whether another address gets the updates."""
    if settings.telegram_token is None:
        return []
    base = f"{settings.telegram_api_url}{settings.telegram_token.get_secret_value()}"
    try:
        status, me, skew = await _ask(f"{base}/getMe")
        _, hook, _ = await _ask(f"{base}/getWebhookInfo")
    except (OSError, aiohttp.ClientError) as error:
        return _unreachable("Telegram", error)
    if status in (401, 404):
        return [
            Finding(
                "bad",
                "Telegram refuses the token",
                "@BotFather: /mybots, API Token; copy it into WHICHGPU_TELEGRAM_TOKEN",
            )
        ]
    if not me.get("ok"):
        return [Finding("bad", f"Telegram answers getMe with status {status}", "try again; see telegram.org/status")]
    bot = me["result"]
    found = [Finding("good", f"Telegram: @{bot.get('username')}"), *_clock(skew, "Telegram")]
    if bot.get("can_read_all_group_messages"):
        found.append(Finding("good", "Telegram: privacy mode is off, groups are heard"))
    if not bot.get("supports_inline_queries"):
        found.append(
            Finding(
                "warn",
                "Telegram: inline mode is off",
                "@BotFather: /setinline, so that @bot 13b qlora works in any chat",
            )
        )
    return found + _webhook(settings, hook.get("result") or {})


def _webhook(settings: Settings, info: dict[str, Any]) -> list[Finding]:
    url, wanted = info.get("url") or "", settings.telegram_webhook_url or ""
    found = []
    if url and not wanted:
        found.append(
            Finding(
                "warn", "Telegram: a webhook is set, but we would poll", "`whichgpu serve` removes it when it starts"
            )
        )
    elif wanted and url != wanted:
        found.append(
            Finding("warn", "Telegram: another webhook, or none, is set", "`whichgpu serve` sets it when it starts")
        )
    if info.get("last_error_message") and time.time() - info.get("last_error_date", 0) < 3_600:
        cure = "check that the address leads to WHICHGPU_TELEGRAM_WEBHOOK_PORT and has a valid certificate"
        found.append(
            Finding("bad", f"Telegram cannot deliver to the webhook: {info['last_error_message']}"[:200], cure)
        )
    if info.get("pending_update_count", 0) > 100:
        found.append(
            Finding("warn", f"Telegram: {info['pending_update_count']} updates wait", "is `whichgpu serve` running?")
        )
    return found


async def check_discord(settings: Settings) -> list[Finding]:
    """The token, the intents, and how many sessions may still be started today."""
    if settings.discord_token is None:
        return []
    headers = {"Authorization": f"Bot {settings.discord_token.get_secret_value()}"}
    try:
        status, me, skew = await _ask(f"{settings.discord_api_url}/users/@me", headers)
        _, application, _ = await _ask(f"{settings.discord_api_url}/applications/@me", headers)
        _, gateway, _ = await _ask(f"{settings.discord_api_url}/gateway/bot", headers)
    except (OSError, aiohttp.ClientError) as error:
        return _unreachable("Discord", error)
    if status == 401:
        cure = "discord.com/developers: your application, Bot, Reset Token; copy it into WHICHGPU_DISCORD_TOKEN"
        return [Finding("bad", "Discord refuses the token", cure)]
    if status != 200:
        return [Finding("bad", f"Discord answers with status {status}", "try again; see discordstatus.com")]
    found = [Finding("good", f"Discord: {me.get('username')}"), *_clock(skew, "Discord")]
    allowed = bool(int(application.get("flags") or 0) & MESSAGE_CONTENT_FLAGS)
    if settings.discord_message_content and not allowed:
        cure = (
            "discord.com/developers: Bot, Privileged Gateway Intents; or leave WHICHGPU_DISCORD_MESSAGE_CONTENT unset"
        )
        found.append(Finding("bad", "Discord: the message-content intent is not granted", cure))
    left = (gateway.get("session_start_limit") or {}).get("remaining")
    if isinstance(left, int) and left < 50:
        found.append(
            Finding(
                "warn",
                f"Discord: only {left} session starts are left today",
                "look for a restart loop before it runs out",
            )
        )
    return found


async def check_hub(settings: Settings) -> list[Finding]:
    """Whether the Hub answers; the bot works without it."""
    if settings.hub == "off":
        return [Finding("good", "Hub look-ups are off")]
    endpoint = settings.hf_endpoint or "https://huggingface.co"
    try:
        status, _, _ = await _ask(f"{endpoint}/api/models/gpt2?expand[]=safetensors")
    except (OSError, aiohttp.ClientError) as error:
        return [
            Finding(
                "warn",
                f"the Hub cannot be reached ({type(error).__name__})",
                "unknown models stay unknown; or set WHICHGPU_HUB=off",
            )
        ]
    return [Finding("good" if status == 200 else "warn", f"the Hub answers with status {status}")]

"""Telegram: receives by long polling or webhook, hands each update to the talk that fits."""

import asyncio
import hashlib
import json
import time
import warnings
from typing import Any

import structlog
from telegram import Bot, BotCommand, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats
from telegram.error import InvalidToken, TelegramError
from telegram.warnings import PTBUserWarning

from bot import metrics
from bot.adapters.base import Adapter, Event, PlatformGone, Services, StoreUnavailable, Work
from bot.adapters.telegram.calls import Calls
from bot.adapters.telegram.inline import Inline
from bot.adapters.telegram.polling import poll
from bot.adapters.telegram.presses import Presses
from bot.adapters.telegram.talk import Talk
from bot.adapters.telegram.transport import AiohttpRequest, proxy_for
from bot.adapters.telegram.updates import Malformed, lane, read_update
from bot.adapters.telegram.webhook import listening
from bot.adapters.words import DEFAULT, LANGUAGES, words

log = structlog.get_logger(__name__)
PRIVATE_COMMANDS = ("whichgpu", "fits", "compare", "oom", "faq", "config", "language", "forget", "about", "help")
GROUP_COMMANDS = ("whichgpu", "fits", "compare", "oom", "faq", "config", "setup")
LEASE_SECONDS = 30.0
LEASE = "telegram poll"
STORE_PAUSE = 1.0
CONNECTIONS = 16


class TelegramAdapter(Adapter):
    """One bot account; see bot.adapters.base for what an adapter does."""

    name = "telegram"
    concurrency = 6

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        settings = services.settings
        assert settings.telegram_token is not None
        # The library warns about raw calls of methods that it has; rich messages and raw updates need them.
        warnings.filterwarnings("ignore", message=".*do_api_request.*", category=PTBUserWarning)
        api = settings.telegram_api_url
        request = AiohttpRequest(CONNECTIONS, proxy_for(api))
        self.bot = Bot(
            settings.telegram_token.get_secret_value(),
            base_url=api,
            base_file_url=api.removesuffix("/bot") + "/file/bot",
            request=request,
            get_updates_request=AiohttpRequest(2, proxy_for(api)),
        )
        self._rich_note = f"telegram:rich:{api}"
        self.calls = Calls(self.bot, request, rich_refused=self._remember_no_rich)

    async def run(self) -> None:
        """Connect, then receive until cancelled. Raises PlatformGone for a token that is not accepted."""
        try:
            await self.bot.initialize()
            self.talk = Talk(self.services, self.calls, self.bot)
            self.presses = Presses(self.services, self.calls, self.bot)
            self.inline = Inline(self.services, self.bot)
            self.calls.rich = await self.services.store.note(self._rich_note) != "off"
            await self._publish_commands()
            await self._receive()
        except InvalidToken as error:
            raise PlatformGone(
                "Telegram does not accept the token",
                "copy it again from @BotFather (/mybots, API Token) into WHICHGPU_TELEGRAM_TOKEN and restart",
            ) from error

    async def _receive(self) -> None:
        settings = self.services.settings
        if settings.telegram_webhook_url:
            async with listening(
                self.bot,
                settings.telegram_webhook_url,
                settings.webhook_secret,
                settings.telegram_webhook_listen,
                settings.telegram_webhook_port,
                self._put_or_fail,
            ):
                self._connected(True)
                await asyncio.Event().wait()
        await self._wait_for_lease()
        keeper = asyncio.create_task(self._keep_lease())
        polling = asyncio.create_task(self._poll())
        try:
            done, _ = await asyncio.wait({keeper, polling}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in (keeper, polling):
                task.cancel()
            await asyncio.gather(keeper, polling, return_exceptions=True)
            if not self.services.store.alone:
                await self.services.store.leases.give_up(LEASE, self._owner)

    async def _poll(self) -> None:
        await self.bot.delete_webhook(drop_pending_updates=False)
        await poll(self.bot, self._put, self._connected)

    @property
    def _owner(self) -> str:
        return self.services.inbox.claims.owner

    async def _may_poll(self) -> bool:
        """With PostgreSQL several processes may run: one polls, all answer."""
        store = self.services.store
        return store.alone or await store.leases.take(LEASE, self._owner, LEASE_SECONDS)

    async def _wait_for_lease(self) -> None:
        while not await self._may_poll():
            self.ready = True  # it answers what the polling process commits
            await asyncio.sleep(LEASE_SECONDS / 6)

    async def _keep_lease(self) -> None:
        while True:
            await asyncio.sleep(LEASE_SECONDS / 3)
            if not await self._may_poll():
                return  # another process polls now: start over and wait

    async def _put(self, updates: list[dict[str, Any]]) -> None:
        """Commit, however long the database takes; only then does polling go on."""
        while True:
            try:
                await self._put_or_fail(updates)
            except StoreUnavailable as error:
                log.warning("telegram.store_away", error=str(error))
                await asyncio.sleep(STORE_PAUSE)
            else:
                return

    async def _put_or_fail(self, updates: list[dict[str, Any]]) -> None:
        await self.services.inbox.put([as_event(update) for update in updates])

    async def handle(self, event: Event, work: Work) -> None:
        """Answer one update; one that cannot be read is set aside."""
        try:
            happened = read_update(event.payload)
        except Malformed as error:
            metrics.SET_ASIDE.labels(self.name).inc()
            log.warning("telegram.malformed", detail=str(error))
            await work.done("set_aside")
            return
        if happened.user_is_bot:
            return
        match happened.happened:
            case "message" | "edited":
                await self.talk.hear(happened, work)
            case "guest" | "inline":
                await self.inline.answer(happened, work)
            case "pressed":
                await self.presses.pressed(happened, work)
            case "reaction":
                await self.presses.reacted(happened, work)
            case "other":
                pass

    async def close(self) -> None:
        """Close the connections."""
        await self.bot.shutdown()

    def _connected(self, yes: bool) -> None:
        self.ready = yes
        self.trouble = "" if yes else "no connection to Telegram, or another process polls with this token"

    async def _remember_no_rich(self) -> None:
        await self.services.store.set_note(self._rich_note, "off")

    async def _publish_commands(self) -> None:
        """The command lists per language, only when they changed."""
        lists = {
            language: {
                "private": [(name, words(language).commands[name]) for name in PRIVATE_COMMANDS],
                "group": [(name, words(language).commands[name]) for name in GROUP_COMMANDS],
            }
            for language in LANGUAGES
        }
        digest = hashlib.sha256(json.dumps([self.bot.id, lists], sort_keys=True).encode()).hexdigest()
        if await self.services.store.note("telegram:commands") == digest:
            return
        scopes = {"private": BotCommandScopeAllPrivateChats(), "group": BotCommandScopeAllGroupChats()}
        try:
            for language, by_scope in lists.items():
                for scope, commands in by_scope.items():
                    given = [BotCommand(name, description) for name, description in commands]
                    code = None if language == DEFAULT else language
                    await self.bot.set_my_commands(given, scope=scopes[scope], language_code=code)
        except TelegramError as error:
            if isinstance(error, InvalidToken):
                raise
            log.warning("telegram.commands_not_set", error=type(error).__name__)
            return
        await self.services.store.set_note("telegram:commands", digest)


def as_event(update: dict[str, Any]) -> Event:
    """An update as an event of the inbox; total: whatever JSON comes, it is kept."""
    chat = lane(update)
    if "inline_query" in update:
        chat = f"inline:{chat}"  # typing must not wait behind an answer in the private chat
    body = next((value for key, value in update.items() if key != "update_id" and isinstance(value, dict)), {})
    sender = body.get("from")
    person = str(sender["id"]) if isinstance(sender, dict) and isinstance(sender.get("id"), int) else ""
    date = body.get("edit_date") or body.get("date")
    sent = float(date) if isinstance(date, int) and date > 0 else time.time()
    return Event("telegram", str(update["update_id"]), chat, update, sent, person)

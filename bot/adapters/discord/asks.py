"""Commands, the context menu and the form: what people ask with them."""

import time
from collections.abc import Mapping
from typing import Any

import structlog

from bot.adapters.base import Event, Services, Work
from bot.adapters.discord.answers import Answers
from bot.adapters.discord.calls import Calls
from bot.adapters.discord.events import Used
from bot.adapters.discord.layout import Where
from bot.adapters.discord.presses import Presses
from bot.adapters.discord.setup import Setup
from bot.adapters.files import Unreadable
from bot.adapters.words import language_of, words
from bot.messages import Question

log = structlog.get_logger(__name__)
TOKEN_SECONDS = 14.5 * 60
"""An interaction's token is good for 15 minutes."""
KINDS = {"fits": "fits_check", "compare": "compare_gpus", "oom": "oom_help", "faq": "faq_definition"}
"""Commands that say what kind of question it is."""
FORM = "w-oom"
FORM_TEXT, FORM_FILE = "text", "file"
TYPED = ("model", "method", "gpu", "other", "context", "batch", "trainer", "budget")
ASKS = {"fits": "fits_ask", "compare": "compare_ask", "oom": "oom_ask", "faq": "faq_ask", "config": "config_ask"}


class Asks:
    """Answers interactions."""

    def __init__(self, services: Services, calls: Calls, answers: Answers, setup: Setup) -> None:
        self.services = services
        self.calls = calls
        self.answers = answers
        self.presses = Presses(services, calls, answers)
        self.setup = setup

    async def answer(self, event: Event, used: Used, work: Work) -> None:
        """One interaction. What is too old for its token is dropped: nobody can be told."""
        if time.time() - (event.received or event.sent) > TOKEN_SECONDS:
            await work.done("late", at_leisure=True)
        elif used.kind == "press":
            await self.presses.pressed(used, work)
        elif used.kind == "slash" and used.name in ("forget", "about", "language", "whichgpu-setup"):
            await self.answers.notice(used, await self._told(used))
            await work.done(at_leisure=True)
        else:
            await self._ask(used, work)

    async def _told(self, used: Used) -> str:
        """What a command that is no question has to say."""
        store = self.services.store
        if used.name == "forget":
            say = words(await self.language(used))
            await store.forget("discord", used.user)
            return say("forgotten")
        if used.name == "language":
            await store.prefer("discord", used.user, language=used.values.get("language", "en"))
            return words(used.values.get("language", "en"))("language_done")
        if used.name == "about":
            return words(await self.language(used))("about")
        return await self.setup.run(used, await self.language(used))

    async def language(self, used: Used) -> str:
        """What the person chose, else the language of the client."""
        known = await self.services.store.known("discord", used.channel, used.user)
        return known.preferences.language or language_of(used.locale)

    async def _ask(self, used: Used, work: Work) -> None:
        attachments: list[str] = []
        for file in used.files:
            try:
                attachments.append(await self.calls.read_file(file["url"], file["name"], file["size"]))
            except Unreadable as error:
                if used.kind != "menu" or not used.text:
                    say = words(await self.language(used))
                    await self.answers.notice(used, say(error.word, limit=error.limit_kib))
                    return
        question = asked(used, tuple(attachments))
        if question is None:
            say = words(await self.language(used))
            await self.answers.notice(used, say(ASKS.get(command_of(used), "nothing_said")))
            return
        given = await self.services.desk.answer(
            question, work, places=(used.guild, used.parent), public=not used.ephemeral
        )
        if given.silent:
            await self.answers.notice(used, words(language_of(used.locale))("limited"))
            return
        where: Where = "hidden" if used.ephemeral else "direct" if used.private else "channel"
        if await self.answers.reply(used, given.reply, where, update=False, hidden=used.ephemeral):
            await work.done(at_leisure=True)
        else:
            await work.done("late", at_leisure=True)


def command_of(used: Used) -> str:
    """The command that was used, or that opened the form."""
    return "oom" if used.kind == "form" else used.name if used.kind == "slash" else ""


def asked(used: Used, attachments: tuple[str, ...] = ()) -> Question | None:
    """The question that a command, the menu or the form asks; None when it says nothing."""
    values: Mapping[str, Any] = used.values
    text = used.text if used.kind == "menu" else str(values.get("question") or values.get("topic") or "")
    options = {name: values[name] for name in TYPED if values.get(name)}
    name = command_of(used)
    if used.kind == "form":
        text = str(values.get(FORM_TEXT) or "")
    if not (text.strip() or options or attachments):
        return None
    if name in KINDS:
        options["kind"] = KINDS[name]
    if name == "config":
        options["show"] = "config"
    return Question(
        text=text.strip(),
        locale=used.locale or None,
        platform="discord",
        user=used.user,
        chat=used.channel,
        asked="command",
        options=options,
        attachments=attachments,
    )

"""Commands that are not questions, and what the others ask for when nothing follows them."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as BadBase64

from telegram import Bot
from telegram.constants import ChatMemberStatus
from telegram.error import TelegramError

from bot import codec
from bot.adapters.base import Services, Work
from bot.adapters.telegram.calls import Calls
from bot.adapters.telegram.keyboard import Key, choices, own_keys
from bot.adapters.telegram.letters import Place
from bot.adapters.telegram.updates import Incoming
from bot.adapters.words import LANGUAGES, Words, language_of, words
from bot.messages import Question

KIND_OF = {"fits": "fits_check", "compare": "compare_gpus", "oom": "oom_help", "faq": "faq_definition"}
"""Commands that say what kind of question follows."""
ASKS = {"fits": "fits_ask", "compare": "compare_ask", "oom": "oom_ask", "faq": "faq_ask"}
NOT_QUESTIONS = ("forget", "about", "language", "setup", "settings")
MODES = ("off", "mentions", "sure")
LANGUAGE, MODE = "!lang=", "!mode="
"""Presses on what /language and /setup offer."""
PACKED = "s-"
WORDS = "w-"
PAYLOAD_CHARS = 64


class Commands:
    """Runs what is not a question."""

    def __init__(self, services: Services, calls: Calls, bot: Bot) -> None:
        self.services = services
        self.calls = calls
        self.bot = bot

    async def run(self, heard: Incoming, place: Place, work: Work) -> bool:
        """True when the command was dealt with; False when what follows it is a question."""
        say = words(await self._language(heard))
        keys: list[list[Key]] = []
        match heard.command:
            case "forget":
                await self.services.store.forget("telegram", str(heard.user_id))
                text = say("forgotten")
            case "about":
                text = say("about")
            case "settings" if not heard.private:
                text, keys = await self._setup(heard, say)
            case "language" | "settings":
                text, keys = await self._choose_language(heard, say)
            case "setup":
                text, keys = await self._setup(heard, say)
            case "start" if heard.rest.startswith(PACKED):
                return await self._from_link(heard, place, work)
            case command if command in ASKS and not (heard.rest or heard.reply_text or heard.document):
                text = say(ASKS[command])
            case _:
                return False
        async with self.services.turns("telegram"):
            await self.calls.notice(place, text, keys)
            await work.done()
        return True

    async def _language(self, heard: Incoming) -> str:
        known = await self.services.store.known("telegram", str(heard.chat_id), str(heard.user_id))
        return known.preferences.language or language_of(heard.locale)

    async def _choose_language(self, heard: Incoming, say: Words) -> tuple[str, list[list[Key]]]:
        code = heard.rest.lower()[:2]
        if code in LANGUAGES:
            return await self.set_language(heard, code, say), []
        lines = [(words(known)("language_name"), f"{LANGUAGE}{known}") for known in LANGUAGES]
        return say("language_ask"), choices(lines, say.language)

    async def set_language(self, heard: Incoming, code: str, say: Words) -> str:
        """Keep a person's choice; what to say to that."""
        if code in LANGUAGES:
            await self.services.store.prefer("telegram", str(heard.user_id), language=code)
            say = words(code)
        return say("language_done")

    async def _setup(self, heard: Incoming, say: Words) -> tuple[str, list[list[Key]]]:
        """When the bot speaks in this group: only admins decide."""
        mode = heard.rest.lower()
        if heard.private:
            return say("setup_private"), []
        if mode not in MODES:
            return say("setup_ask"), choices([(say.choices[known], f"{MODE}{known}") for known in MODES], say.language)
        if not await self.is_admin(heard):
            return say("admins_only"), []
        return await self.set_mode(heard, mode, say), []

    async def set_mode(self, heard: Incoming, mode: str, say: Words) -> str:
        """Keep an admin's choice; what to say to that."""
        if mode not in MODES:
            return say("setup_ask")
        await self.services.store.set_channel("telegram", str(heard.chat_id), {"mode": mode})
        return say("setup_done", mode=say.choices[mode])

    async def is_admin(self, heard: Incoming) -> bool:
        """Whether the person may decide for the group; who writes as the group itself is one of its admins."""
        if heard.anonymous:
            return True
        try:
            member = await self.bot.get_chat_member(heard.chat_id, heard.user_id)
        except TelegramError:
            return False
        return member.status in (ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR)

    async def _from_link(self, heard: Incoming, place: Place, work: Work) -> bool:
        """A deep link that carries a packed query: t.me/bot?start=s-…"""
        query = codec.unpack(heard.rest[len(PACKED) :])
        if query is None:
            return False
        question = Question(
            locale=heard.locale,
            platform="telegram",
            user=str(heard.user_id),
            chat=str(heard.chat_id),
            asked="command",
            change="show=short",
        )
        given = await self.services.desk.answer(question, work, previous=query, public=False)
        if not given.silent:
            async with self.services.turns("telegram"):
                extra = own_keys(given.reply, group=not heard.private)
                await self.calls.send(place, given.reply, words(given.reply.language)("more"), extra)
                await work.done()
        return True


def start_payload(text: str) -> str:
    """A question as what a deep link may carry, only "w-" where it is too long; see start_text."""
    data = WORDS + urlsafe_b64encode(text.strip().encode("utf-8", "replace")).decode().rstrip("=")
    return data if len(data) <= PAYLOAD_CHARS else WORDS


def start_text(payload: str) -> str:
    """The question in a deep link: base64url after "w-", else words with dashes between them."""
    if payload.startswith(WORDS):
        data = payload[len(WORDS) :]
        try:
            return urlsafe_b64decode(data + "=" * (-len(data) % 4)).decode("utf-8")
        except (BadBase64, UnicodeDecodeError):
            return ""
    return payload.replace("_", " ").replace("-", " ")

"""Inline mode (`@bot 13b qlora` anywhere) and guest questions (where the bot is not a member)."""

import hashlib

import structlog
from telegram import Bot
from telegram.error import BadRequest, Forbidden, NetworkError, RetryAfter

from bot import faq
from bot.adapters.base import Services, Work
from bot.adapters.telegram.formatting import Piece, markdown_pieces, pieces
from bot.adapters.telegram.keyboard import keyboard
from bot.adapters.telegram.letters import Body, dumps
from bot.adapters.telegram.updates import Incoming
from bot.adapters.words import language_of, words
from bot.messages import Question, Reply

log = structlog.get_logger(__name__)
CACHE_SECONDS = 300
MOST = 5
VIEWS: tuple[tuple[str, dict[str, str]], ...] = (
    ("inline_answer", {}),
    ("inline_compare", {"kind": "which_gpu"}),
    ("inline_ladder", {"kind": "context_length"}),
)
"""What one question is answered as: itself, the cards for it, the context that fits."""


class Inline:
    """Answers questions from chats that the bot is not in."""

    def __init__(self, services: Services, bot: Bot) -> None:
        self.services = services
        self.bot = bot

    async def answer(self, heard: Incoming, work: Work) -> None:
        """One inline query or guest message."""
        if heard.happened == "guest":
            await self._guest(heard, work)
        elif not work.again:
            await self._inline(heard, work)

    async def _inline(self, heard: Incoming, work: Work) -> None:
        say = words(language_of(heard.locale))
        results = await self._results(heard) if heard.text.strip() else []
        if not results:
            results = [_article(say("inline_empty"), Reply(title=say("ask_me")), Piece(say("ask_me")))]
        try:
            body = {
                "inline_query_id": heard.query_id,
                "results": dumps(results),
                "cache_time": CACHE_SECONDS,
                "is_personal": True,
            }
            await self.bot.do_api_request("answerInlineQuery", body)
        except (BadRequest, NetworkError, RetryAfter, TimeoutError) as error:
            log.debug("telegram.inline_too_late", error=type(error).__name__)
        await work.done()

    async def _results(self, heard: Incoming) -> list[Body]:
        """Up to five different answers to one question."""
        say = words(language_of(heard.locale))
        found: dict[str, Body] = {}
        for title, options in VIEWS:
            given = await self.services.desk.answer(self._question(heard, options), public=False)
            if given.outcome in ("limited", "refused"):
                break
            self._add(found, say(title), given.reply)
        entry = faq.find(heard.text, language_of(heard.locale))
        if entry is not None:
            self._add(found, say("inline_faq"), faq.answer(entry, language_of(heard.locale)))
        return list(found.values())[:MOST]

    @staticmethod
    def _add(found: dict[str, Body], title: str, reply: Reply) -> None:
        parts = pieces(reply) if not reply.silent else []
        if parts and parts[0].text not in found:
            found[parts[0].text] = _article(title, reply, parts[0])

    def _question(self, heard: Incoming, options: dict[str, str]) -> Question:
        return Question(
            text=heard.text,
            locale=heard.locale,
            platform="telegram",
            user=str(heard.user_id),
            chat=f"inline:{heard.user_id}",
            asked="command",
            options=options,
        )

    async def _guest(self, heard: Incoming, work: Work) -> None:
        """A question in a chat where the bot is a guest: one answer, by its query id."""
        text = heard.rest
        for name in heard.mentions:
            text = text.replace(f"@{name}", "").replace(f"@{self.bot.username}", "")
        question = Question(
            text=text.strip(),
            locale=heard.locale,
            platform="telegram",
            user=str(heard.user_id),
            chat=f"guest:{heard.chat_id}",
            asked="mention",
        )
        given = await self.services.desk.answer(question, work)
        parts = pieces(given.reply) if not given.silent else []
        if not parts:
            return
        result = _article(given.reply.title or words(given.reply.language)("inline_answer"), given.reply, parts[0])
        async with self.services.turns("telegram"):
            try:
                body = {"guest_query_id": heard.query_id, "result": dumps(result)}
                await self.bot.do_api_request("answerGuestQuery", body)
            except (BadRequest, Forbidden) as error:
                log.info("telegram.guest_refused", error=str(error))
            await work.done()


def _article(title: str, reply: Reply, piece: Piece) -> Body:
    """A result whose message is the answer, with its buttons."""
    plain = markdown_pieces(reply.title, 200) if reply.title else []
    article: Body = {
        "type": "article",
        "id": hashlib.sha256(piece.text.encode()).hexdigest()[:32],
        "title": title,
        "description": plain[0].text if plain else piece.text[:120],
        "input_message_content": {
            "message_text": piece.text,
            "entities": list(piece.entities),
            "link_preview_options": {"is_disabled": True},
        },
    }
    if rows := keyboard(reply):
        article["reply_markup"] = {"inline_keyboard": rows}
    return article

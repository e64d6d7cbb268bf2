"""Inline mode (`@bot 13b qlora` anywhere) and guest questions (where the bot is not a member)."""

import hashlib

import structlog
from telegram import Bot
from telegram.error import BadRequest, Forbidden, NetworkError, RetryAfter

from advisor.query import Kind
from bot import faq
from bot.adapters.base import Services, Work
from bot.adapters.telegram.commands import start_payload
from bot.adapters.telegram.formatting import Piece, markdown_pieces, pieces
from bot.adapters.telegram.keyboard import keyboard
from bot.adapters.telegram.letters import Body, dumps
from bot.adapters.telegram.updates import Incoming, without_mention
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
NO_QUESTION = (Kind.OFF_TOPIC, Kind.HELP)


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
        results, keep = await self._results(heard) if heard.text.strip() else ([], CACHE_SECONDS)
        if not results:
            results = [_article(say("inline_empty"), Reply(title=say("ask_me")), Piece(say("ask_me")))]
        try:
            body = {
                "inline_query_id": heard.query_id,
                "results": dumps(results),
                "cache_time": keep,
                "is_personal": True,
                "button": dumps({"text": say("open_private"), "start_parameter": start_payload(heard.text)}),
            }
            await self.bot.do_api_request("answerInlineQuery", body)
        except (BadRequest, NetworkError, RetryAfter, TimeoutError) as error:
            log.debug("telegram.inline_too_late", error=type(error).__name__)
        await work.done()

    async def _results(self, heard: Incoming) -> tuple[list[Body], int]:
        """Up to five different answers to one question, and how long they hold; none while it is not yet a question."""
        language = language_of(heard.locale)
        say = words(language)
        views = await self.services.desk.views(self._question(heard), [options for _, options in VIEWS])
        first = views[0]
        if first.answer is None:  # too many questions: that is over in a minute
            return ([] if first.silent else [_article(say("inline_empty"), first.reply, pieces(first.reply)[0])]), 0
        if first.answer.kind in NO_QUESTION:
            return [], CACHE_SECONDS
        found: dict[str, Body] = {}
        for (title, _), given in zip(VIEWS, views, strict=True):
            self._add(found, say(title), given.reply)
        entry = faq.find(heard.text, language)
        if entry is not None:
            self._add(found, say("inline_faq"), faq.answer(entry, language))
        return list(found.values())[:MOST], CACHE_SECONDS

    @staticmethod
    def _add(found: dict[str, Body], title: str, reply: Reply) -> None:
        parts = pieces(reply) if not reply.silent else []
        if parts and reply.title not in found:
            found[reply.title] = _article(title, reply, parts[0])

    @staticmethod
    def _question(heard: Incoming) -> Question:
        return Question(
            text=heard.text,
            locale=heard.locale,
            platform="telegram",
            user=str(heard.user_id),
            chat=f"inline:{heard.user_id}",
            asked="command",
        )

    async def _guest(self, heard: Incoming, work: Work) -> None:
        """A question in a chat where the bot is a guest: one answer, by its query id."""
        text = without_mention(heard.rest, (self.bot.username or "").lower())
        question = Question(
            text=text or heard.reply_text,  # only the name, as a reply to somebody's question
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

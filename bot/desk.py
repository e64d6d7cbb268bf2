"""The desk: takes a Question from an adapter, looks up what is known, has it answered, remembers, counts.

Everything that an answer needs besides reading and thinking: guard, conversation, preferences, Hub, metrics. When the
store is away it answers all the same, without memory.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import structlog

from advisor.query import Query
from bot import metrics
from bot.adapters.words import LANGUAGES, language_of, words
from bot.guard import FILES, Guard, fitting
from bot.hub import Hub
from bot.log import frames_only
from bot.messages import Question, Reply, Text
from bot.store import Known, Store, StoreUnavailable
from bot.store.loader import Recent
from bot.work import Work

if TYPE_CHECKING:
    from bot.pipeline import Answer

    Line = Callable[[Question, Query | None], Answer]

log = structlog.get_logger(__name__)
Outcome = Literal["answered", "silent", "limited", "refused", "failed"]
RECENT_ANSWERS = 256
"""The line is pure: the same question without a conversation has the same answer. Communities repeat themselves."""
CACHED_CHARS = 200
VIEW_WEIGHT = 0.2
"""A question is sent about so many times while it is being typed: each counts as a part of one."""


@dataclass(frozen=True, slots=True)
class Given:
    """What to send: `reply`, unless `silent`. `answer` is the whole of it; None when the guard answered."""

    reply: Reply
    outcome: Outcome
    answer: "Answer | None" = None

    @property
    def silent(self) -> bool:
        """Nothing is to be sent."""
        return self.reply.silent


class Desk:
    """One for all adapters."""

    def __init__(
        self,
        store: Store,
        guard: Guard,
        hub: Hub | None,
        *,
        languages: tuple[str, ...] = LANGUAGES,
        line: "Line | None" = None,
    ) -> None:
        from bot import pipeline  # everything that thinks: imported when a bot is made, not before

        self.store = store
        self.guard = guard
        self.hub = hub
        self.languages = languages
        self._line = line or pipeline.answer
        self._answers: Recent[Question, Answer] = Recent(RECENT_ANSWERS)

    async def answer(
        self,
        question: Question,
        work: Work | None = None,
        *,
        previous: Query | None = None,
        places: Iterable[str] = (),
        public: bool = True,
    ) -> Given:
        """Answer a question. Never raises for a question or a store that is away.

        `previous`: the query that travels with a button; else the conversation's. `work`: the conversation is committed
        with its mark; without it, at once. `places`, `public`: see Guard.check.
        """
        overheard = question.asked == "overheard"
        refused = None if overheard else self._guarded(question, places, public)
        if refused is not None:
            return refused
        known = await self._known(question)
        if overheard and known.preferences.opt_out:
            return Given(Reply(silent=True), "silent")
        if known.preferences.language and not question.language:
            question = question.model_copy(update={"language": known.preferences.language})
        given = self._think(question, previous if previous is not None else known.query)
        if overheard and not given.reply.silent:  # what is not for the bot must not use up anybody's share
            refused = self._guarded(question, places, public)
            if refused is not None:
                return refused
        if given.lookup and self.hub is not None and not given.reply.silent:
            given = await self._with_shape(question, previous or known.query, given)
        self._remember(question, given, work)
        outcome: Outcome = "silent" if given.reply.silent else "failed" if given.error else "answered"
        self._count(question, given, outcome)
        return Given(given.reply, outcome, given)

    async def views(self, question: Question, ways: Sequence[Mapping[str, str]]) -> list[Given]:
        """One question answered in several ways, e.g. while it is being typed: it stands for itself, nothing of it is
        kept, and it counts as a part of one. `ways`: the options of each answer."""
        refused = self._guarded(question, (), False, VIEW_WEIGHT)
        if refused is not None:
            return [refused]
        language = question.language or (await self._known(question)).preferences.language
        found = []
        for options in ways:
            given = self._think(question.model_copy(update={"options": options, "language": language}), None)
            outcome: Outcome = "silent" if given.reply.silent else "failed" if given.error else "answered"
            found.append(Given(given.reply, outcome, given))
        if found and found[0].answer is not None:
            self._count(question, found[0].answer, found[0].outcome)
        return found

    def _guarded(self, question: Question, places: Iterable[str], public: bool, weight: float = 1.0) -> Given | None:
        verdict = self.guard.check(
            question.platform, question.user, question.chat, places=places, public=public, weight=weight
        )
        if verdict == "yes":
            return None
        metrics.LIMITED.labels(question.platform, verdict).inc()
        outcome: Outcome = "refused" if verdict == "denied" else "limited"
        metrics.QUESTIONS.labels(question.platform, "", outcome).inc()
        if verdict != "say_wait" or question.asked == "overheard":
            return Given(Reply(silent=True), outcome)
        language = question.language or language_of(question.locale)
        language = language if language in self.languages else self.languages[0]
        return Given(Reply(language=language, blocks=(Text(markdown=words(language)("limited")),)), outcome)

    async def _known(self, question: Question) -> Known:
        try:
            return await self.store.known(question.platform, question.chat, question.user)
        except StoreUnavailable:
            log.warning("desk.without_memory", platform=question.platform)
            return Known()

    def _think(self, question: Question, previous: Query | None) -> "Answer":
        update = {"text": fitting(question.text), "attachments": question.attachments[:FILES]}
        asked = question.model_copy(update=update)
        if previous is not None or asked.attachments or asked.options or asked.change or len(asked.text) > CACHED_CHARS:
            return self._timed(asked, previous)
        key = asked.model_copy(update={"user": "", "chat": "", "options": ()})
        if key in self._answers:
            return self._answers[key]
        given = self._timed(asked, None)
        if not given.error:
            self._answers[key] = given
        return given

    def _timed(self, question: Question, previous: Query | None) -> "Answer":
        begun = time.perf_counter()
        given = self._line(question, previous)
        if given.language not in self.languages:
            given = self._line(question.model_copy(update={"language": self.languages[0]}), previous)
        metrics.THINKING.observe(time.perf_counter() - begun)
        if given.error:
            frames = frames_only(given.error_detail)
            log.error("answer.failed", platform=question.platform, code=given.error, exception=frames)
        return given

    async def _with_shape(self, question: Question, previous: Query | None, first: "Answer") -> "Answer":
        """The answer once more, with the model's shape from the Hub; the first one when the Hub does not help."""
        assert self.hub is not None
        arch = await self.hub.shape(first.lookup or "")
        if arch is None:
            return first
        unknown = {slot: name for slot, name in first.query.unknown.items() if slot != "model"}
        found = first.query.model_copy(update={"arch": arch, "model": first.lookup, "unknown": unknown})
        return await asyncio.to_thread(self._answer_query, question, found, first)

    def _answer_query(self, question: Question, query: Query, first: "Answer") -> "Answer":
        from bot.pipeline import answer_query

        try:
            return answer_query(query, first.language)
        except Exception:
            log.exception("answer.failed_with_shape", platform=question.platform)
            return first

    def _remember(self, question: Question, given: "Answer", work: Work | None) -> None:
        if given.remember is None or not question.user:
            return
        row = self.store.remember(question.platform, question.chat, question.user, given.remember)
        if work is not None:
            work.add(row)
        else:
            self.store.writer.submit([row], keep=True)

    def _count(self, question: Question, given: "Answer", outcome: Outcome) -> None:
        metrics.QUESTIONS.labels(question.platform, given.kind.value, outcome).inc()
        self.store.tally.asked(question.platform, given.kind.value, outcome, given.language)
        if outcome == "answered":
            for slot, name in given.query.unknown.items():
                metrics.UNKNOWN.labels(slot[:32]).inc()
                self.store.tally.unknown(slot, name)

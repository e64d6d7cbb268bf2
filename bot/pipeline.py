"""The straight line: Question → parser → Query → advisor → Advice → renderer → Reply. Pure, synchronous, never raises.

Whatever goes wrong inside becomes a short apology with a code; what happened stands in `Answer.error_detail`, for the
caller's log.
"""

import traceback
from dataclasses import dataclass
from functools import partial
from typing import Any

from advisor import advisor
from advisor.errors import AdvisorError
from advisor.query import Kind, Query
from bot import codec, configs, faq, parser, renderer
from bot.languages import language_of
from bot.messages import Question, Reply, Text
from knowledge.catalog import load_catalog

NOT_KEPT = (Kind.OFF_TOPIC, Kind.HELP, Kind.INFERENCE_ONLY)
"""After these a conversation goes on with the query that it had before."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What to say, and what it was made from.

    `remember` is the query that the conversation goes on with, None when the one before stays. `error` is a code, set
    only when `reply` is the apology; `error_detail` is the traceback. `lookup` is a hub id to look up, when the answer
    would be better with the shape of a model that the catalog does not have.
    """

    reply: Reply
    query: Query
    kind: Kind
    language: str
    advice: Any = None
    remember: Query | None = None
    error: str | None = None
    error_detail: str = ""


def answer(question: Question, previous: Query | None = None) -> Answer:
    """The answer to a question, given the conversation's last query. Never raises."""
    try:
        if question.change:
            return _pressed(question, previous)
        return _asked(question, previous)
    except Exception as error:  # a fault of ours must not reach a person as a traceback
        return _apology(question, error)


def _asked(question: Question, previous: Query | None) -> Answer:
    reading = parser.read(question, previous)
    language = language_of(question.language or reading.language or question.locale)
    if not reading.speak:
        return Answer(Reply(language=language, silent=True), reading.query, reading.query.kind, language)
    return answer_query(reading.query, language, asks_for=reading.asks_for)


def _pressed(question: Question, previous: Query | None) -> Answer:
    """A pressed button: the change applied to the query that travelled with it."""
    language = language_of(question.language or question.locale)
    change = question.change or ""
    name, _, value = change.partition("=")
    query = previous or Query()
    if name == "faq":
        return _from_faq(query, value, language)
    if name == "show":
        return answer_query(query, language, show=value)
    changed = codec.apply_change(query, change)
    return answer_query(changed, language)


def answer_query(query: Query, language: str, *, asks_for: str | None = None, show: str | None = None) -> Answer:
    """Advice on a query that is already read, put into words. Raises what the advisor and the renderer raise."""
    if query.kind is Kind.FAQ_DEFINITION and query.faq and show is None:
        return _from_faq(query, query.faq, language)
    advice = advisor.advise(query, load_catalog())
    if show == "config":
        text = configs.config_for(advice, query.trainer)
        reply = Reply(language=language, blocks=(Text(markdown=text),))
    else:
        reply = renderer.render(advice, language, asks_for=asks_for, show=show)
    return Answer(
        reply=reply.model_copy(update={"state": codec.pack(query)}) if reply.state is None else reply,
        query=query,
        kind=query.kind,
        language=language,
        advice=advice,
        remember=None if query.kind in NOT_KEPT else query,
    )


def _from_faq(query: Query, entry: str, language: str) -> Answer:
    reply = faq.answer(entry, language)
    asked = query.model_copy(update={"kind": Kind.FAQ_DEFINITION, "faq": entry})
    remember = asked if asked.model or asked.params_b or asked.gpus else None
    return Answer(reply, asked, Kind.FAQ_DEFINITION, language, remember=remember)


def _apology(question: Question, error: Exception) -> Answer:
    language = language_of(question.language or question.locale)
    code = error.code if isinstance(error, AdvisorError) else "internal_error"
    detail = "".join(traceback.format_exception(error))
    silent = question.asked == "overheard"
    try:
        words = renderer.words("apology", language, code=code)
    except Exception:  # the words themselves are broken: a code alone still says more than nothing
        words = code
    reply = Reply(language=language, silent=silent, blocks=() if silent else (Text(markdown=words),))
    return Answer(reply, Query(), Kind.HELP, language, error=code, error_detail=detail)


warm = partial(answer, Question(text="13b qlora"))
"""Loads everything that an answer needs, so that the first asker does not wait."""

"""The straight line: Question → parser → Query → advisor → Advice → renderer → Reply. Pure, synchronous, never raises.

What a person cannot have (a negative length, an old button) is said in words. Whatever goes wrong inside becomes a
short apology with a code; what happened stands in `Answer.error_detail`, for the log of the caller.
"""

import re
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, replace

from advisor.advice import Advice
from advisor.advisor import advise
from advisor.errors import AdvisorError
from advisor.query import Kind, Query
from bot import codec, faq, parser, renderer
from bot.faq.beside import Beside, asked_beside, turned
from bot.faq.choice import NOT_OURS, with_page
from bot.messages import Button, Question, Reply, Table, Text, table_markdown
from bot.parser.weights import weights_of
from knowledge.catalog import load_catalog
from knowledge.language import LANGUAGES, language_code, load_language, tongues

OVERHEARD = "overheard"
LED = 2
"""Blocks that stay on the screen whatever stands above them: what was asked, and the figures' verdict."""
DEPTH = ("why", "fit", "prices", "more")
"""What `show` can ask the renderer for; "config" is another part's, "cheaper" and "faster" are the advisor's."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What to say, and what it was made from.

    `remember` is the query that the conversation goes on with, None when the one before stays. `lookup` is the hub id
    of a model that the catalog does not have: with its shape in `Query.arch` the answer would be better. `error` is a
    code, set only when `reply` is the apology; `error_detail` is the traceback.
    """

    reply: Reply
    query: Query
    kind: Kind
    language: str
    advice: Advice | None = None
    remember: Query | None = None
    lookup: str | None = None
    error: str | None = None
    error_detail: str = ""


def answer(question: Question, previous: Query | None = None, *, pressable: bool = True) -> Answer:
    """The answer to a question, given the conversation's last query. Never raises.

    `pressable`: buttons get what a platform sends back with them; where nobody presses them that is spared.
    """
    try:
        return _pressed(question, previous) if question.change else _asked(question, previous, pressable)
    except Exception as error:  # a fault of ours must not reach a person as a traceback
        return _apology(question, error)


def answer_query(query: Query, language: str, *, asks_for: str | None = None, pressable: bool = True) -> Answer:
    """The answer to a query that is already read; `query.show` chooses what of it is shown."""
    show = query.show
    query = query.model_copy(update={"show": None}) if show in (*DEPTH, "config") else query
    if show == "thanks":
        return _said(query, language, "thanks")
    if query.faq and show is None:
        return _from_faq(query, query.faq, language)
    try:
        advice = advise(query, load_catalog(), show)
    except AdvisorError as error:
        return _said(query, language, f"errors/{error.code}", e=error.facts)
    reply = _shown(advice, query, language, asks_for, show)
    return Answer(
        reply=_finished(reply, query) if pressable else reply,
        query=query,
        kind=query.kind,
        language=language,
        advice=advice,
        remember=None if query.kind in NOT_OURS else query,
        lookup=_lookup(query),
    )


def _asked(question: Question, previous: Query | None, pressable: bool) -> Answer:
    reading = parser.read(question, previous)
    query, language = reading.query, language_code(question.language or reading.language or question.locale)
    if not reading.speak or (query.show == "thanks" and question.asked == OVERHEARD):
        return Answer(Reply(language=language, silent=True), query, query.kind, language)
    try:
        query = with_page(query, question.text, language)
        answered = answer_query(query, language, asks_for=reading.asks_for, pressable=pressable)
        answered = _turned(answered, question.text)
        answered = _led(answered, asked_beside(query, question.text, language))
        return _with_tongue(answered, reading.foreign) if reading.foreign else answered
    except Exception as error:  # in the language of the text, which is known by now
        return _apology(question, error, language)


def _with_tongue(answered: Answer, code: str) -> Answer:
    """The answer, and one line in the asker's own language that says in which it is given."""
    told = Text(markdown=tongues()[code]["says"])
    return replace(answered, reply=answered.reply.model_copy(update={"blocks": (*answered.reply.blocks, told)}))


def _led(found: Answer, beside: Beside | None) -> Answer:
    """The answer with what is asked in words beside the set-up above its figures, as far as a screen holds both."""
    if beside is None or found.advice is None:
        return found
    page, language = beside.page, found.language
    lead = faq.point(page, language) if page else renderer.words("not_known", language, b=beside)
    blocks, more = [Text(markdown=lead), *found.reply.blocks], list(found.reply.more)
    while len(blocks) > LED and sum(map(_letters, blocks)) > renderer.SCREEN:
        more.insert(0, blocks.pop())
    led = {"blocks": tuple(blocks), "more": tuple(more), "title": re.sub(r"[*`]", "", lead)}
    return replace(found, reply=found.reply.model_copy(update=led))


def _turned(found: Answer, text: str) -> Answer:
    """The answer without a yes that the question, put the other way round, would make a no."""
    if found.advice is None or not found.reply.blocks or not isinstance(found.reply.blocks[0], Text):
        return found
    said = found.reply.blocks[0].markdown
    if (meant := turned(said, text, found.language)) == said:
        return found
    blocks = (Text(markdown=meant), *found.reply.blocks[1:])
    title = re.sub(r"[*`]", "", meant.split("\n", 1)[0])
    return replace(found, reply=found.reply.model_copy(update={"blocks": blocks, "title": title}))


def _letters(block: Text | Table) -> int:
    return len(block.markdown if isinstance(block, Text) else table_markdown(block))


def _pressed(question: Question, previous: Query | None) -> Answer:
    """A pressed button: the change applied to the query that travelled with it. Both come from outside."""
    language = language_code(question.language or question.locale)
    name, _, value = (question.change or "").partition("=")
    query = previous or Query()
    if name == "faq":
        entry = faq.find(value[:60], language)
        asked = query.model_copy(update={"kind": Kind.FAQ_DEFINITION})
        return _from_faq(asked, entry, language) if entry else _said(query, language, "old_button")
    if name == "show" and value == "short":
        return answer_query(query.model_copy(update={"show": None}), language)
    if name == "show":
        shown = value if value in (*DEPTH, "config", "cheaper", "faster") else "more"
        return answer_query(query.model_copy(update={"show": shown}), language)
    try:
        changed = codec.apply_change(query, question.change or "")
    except AdvisorError:
        return _said(query, language, "old_button")
    return answer_query(changed, language)


def _shown(advice: Advice, query: Query, language: str, asks_for: str | None, show: str | None) -> Reply:
    reply = renderer.render(advice, language, asks_for=asks_for, show=show if show in DEPTH else None)
    if show == "config":
        from bot import configs

        return reply.model_copy(
            update={"blocks": (Text(markdown=configs.config_for(advice, query.trainer, language)),), "more": ()}
        )
    if show == "more" and reply.more:
        return reply.model_copy(update={"blocks": reply.more, "more": ()})
    return reply


def _finished(reply: Reply, query: Query) -> Reply:
    """The reply with the packed query, and codes that fit beside it in a button."""
    return reply.model_copy(
        update={"state": reply.state or codec.pack(query), "buttons": tuple(map(_short, reply.buttons))}
    )


def _short(button: Button) -> Button:
    change = codec.shorten(button.change)
    return button if change == button.change else button.model_copy(update={"change": change})


def _from_faq(query: Query, entry: str, language: str) -> Answer:
    asked = query.model_copy(update={"faq": entry, "show": None, "faq_nearly": False})
    named = {"model", "params_b", "gpus"}.intersection(query.stated)
    remember = query.model_copy(update={"faq": None, "show": None}) if named else None
    lead = renderer.words("nearest_page", language, title=faq.title(entry, language)) if query.faq_nearly else None
    reply = faq.answer(entry, language, lead=lead)
    if reply.state is None and query.sources:
        reply = reply.model_copy(update={"state": codec.pack(query)})
    return Answer(reply, asked, asked.kind, language, remember=remember)


def _said(query: Query, language: str, template: str, **facts: object) -> Answer:
    """A few words that need no advice."""
    markdown = renderer.words(template, language, **facts)
    reply = Reply(language=language, blocks=(Text(markdown=markdown),), title=markdown.split("\n", 1)[0])
    return Answer(reply, query, query.kind, language)


def _lookup(query: Query) -> str | None:
    name = query.unknown.get("model", "")
    return name if name.count("/") == 1 and query.arch is None else None


def _apology(question: Question, error: Exception, language: str | None = None) -> Answer:
    language = language or language_code(question.language or question.locale)
    code = "internal_error"
    detail = "".join(traceback.format_exception(error))
    try:
        markdown = renderer.words("apology", language, code=code)
    except Exception:  # the words themselves are broken: a code says more than nothing
        markdown = code
    silent = question.asked == OVERHEARD
    reply = Reply(language=language, silent=silent, blocks=() if silent else (Text(markdown=markdown),))
    return Answer(reply, Query(), Kind.HELP, language, error=code, error_detail=detail)


def prepare() -> None:
    """Load what is known. Raises KnowledgeFaults or YAMLError: before any question, so that none gets an apology."""
    load_catalog()
    for code in LANGUAGES:
        load_language(code)
        faq.entries_of(code)


def warm(languages: Iterable[str] = LANGUAGES) -> None:
    """Load everything that an answer needs, so that the first asker of each language does not wait."""
    for code in languages:
        weights_of(code)
        answer(Question(text="13b qlora", language=code))

"""The straight line: Question → parser → Query → advisor → Advice → renderer → Reply. Pure, synchronous, never raises.

What a person cannot have (a negative length, an old button) is said in words. Whatever goes wrong inside becomes a
short apology with a code; what happened stands in `Answer.error_detail`, for the log of the caller.
"""

import re
import traceback
from collections.abc import Iterable
from dataclasses import dataclass

from advisor.advice import Advice
from advisor.advisor import advise
from advisor.errors import AdvisorError
from advisor.query import Kind, Query
from bot import codec, faq, parser, renderer
from bot.messages import Button, Question, Reply, Text
from bot.parser.weights import weights_of
from knowledge.catalog import load_catalog
from knowledge.language import LANGUAGES, language_code, load_language

NOT_KEPT = (Kind.OFF_TOPIC, Kind.HELP, Kind.INFERENCE_ONLY)
"""After these a conversation goes on with the query that it had before."""
OVERHEARD = "overheard"
SET_UP = {"model", "params_b", "seq_len", "candidates"}
"""Who states one of these asks about a case of their own."""
LONGEST_FAQ = 160
"""Letters: a longer text tells a case, and is no frequent question."""
LONGEST_CASE = 240
ABOUT_WORDS = (Kind.FAQ_DEFINITION, Kind.METHOD_CHOICE, Kind.TRAINER_CHOICE)
ANY_MODEL = frozenset(
    {
        *("load-in-4bit", "lora-alpha", "lora-targets", "chat-template", "learning-rate", "merge", "nf4", "gguf"),
        *("rag-or-finetuning", "lora-rank", "forgetting", "synthetic-data", "quantized-training", "dora"),
        *("freezing", "other-adapters", "rank-and-memory", "new-tokens", "neftune", "warmup", "lora-dropout"),
        "adam-8bit",
        *("gradient-checkpointing", "flash-attention", "packing", "paged-optimizer"),
    }
)
"""Frequent questions whose answer is the same for every model."""
SETTINGS = frozenset({"gradient-checkpointing", "flash-attention", "packing", "paged-optimizer"})
"""Those that somebody who compares trainers only mentions."""
ANY_CASE = frozenset(
    {
        *("nan-loss", "loss-stuck", "low-utilization", "checkpoint-size", "resume", "egpu", "adapter-in-ollama"),
        *("gpu-heat", "pcie", "gibberish", "dataset-format", "quantisation-quality", "several-jobs", "install-errors"),
        *("ddp-hangs", "second-gpu-idle", "mfu"),
    }
)
"""Those that are meant whatever else is named: no topic knows an answer."""
IDLE = frozenset({"second-gpu-idle", "low-utilization"})
OF_KIND = {
    Kind.MULTI_GPU: frozenset({"nvlink", "several-machines", "more-gpus-faster", "several-cards-loss"}),
    Kind.DATA_SIZE_QUALITY: frozenset({"synthetic-data", "lora-targets"}),
}
"""What a topic leaves to words where no model is named."""
OWN_FIGURES = frozenset({Kind.SYSTEM_RAM, Kind.COST_BUY_VS_RENT})
"""Kinds whose topic has figures of its own for what these ask."""
BY_TOPIC = {
    *("system-ram", "how-long", "cloud-or-buy", "data-quality", "best-gpu", "how-much-vram", "small-cards"),
    *("vram-16gb", "vram-24gb", "vram-32gb", "vram-48gb", "one-or-two-cards", "vram-adds-up", "oom", "killed"),
    *("rtx-3090", "rtx-4090", "rtx-5080", "rtx-5090", "qlora-or-lora", "full-finetuning"),
}
"""Frequent questions that a topic answers better, with figures."""
IN_FIGURES = frozenset({"bytes-per-parameter", "why-memory", "accuracy", "tables", "optimizer-states", "adapter-size"})
"""Those whose answer for a named model is figures of it."""
CLAUSE = re.compile(r"[^.,;:!?\n]+")
FIGURE = re.compile(r"\d{2}|\d ?[bkg]", re.IGNORECASE)
"""A size, length or card: what is asked is then about figures."""
BY_MAKER = frozenset({"amd", "intel", "apple"})
CARDS = frozenset({"rtx-3090", "rtx-4090", "rtx-5080", "rtx-5090"})
"""Whether one of these is worth its price is answered in words."""
ANY_CARD = re.compile(r"\b(?:rtx ?)?[345]0[789]0\b", re.IGNORECASE)
"""Names of those cards in a text."""
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
        remember=None if query.kind in NOT_KEPT else query,
        lookup=_lookup(query),
    )


def _asked(question: Question, previous: Query | None, pressable: bool) -> Answer:
    reading = parser.read(question, previous)
    query, language = reading.query, language_code(question.language or reading.language or question.locale)
    if not reading.speak or (query.show == "thanks" and question.asked == OVERHEARD):
        return Answer(Reply(language=language, silent=True), query, query.kind, language)
    try:
        query = _with_faq(query, question.text, language)
        return answer_query(query, language, asks_for=reading.asks_for, pressable=pressable)
    except Exception as error:  # in the language of the text, which is known by now
        return _apology(question, error, language)


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
    asked = query.model_copy(update={"faq": entry, "show": None})
    named = {"model", "params_b", "gpus"}.intersection(query.stated)
    remember = query.model_copy(update={"faq": None, "show": None}) if named else None
    reply = faq.answer(entry, language)
    if reply.state is None and query.sources:
        reply = reply.model_copy(update={"state": codec.pack(query)})
    return Answer(reply, asked, asked.kind, language, remember=remember)


def _with_faq(query: Query, text: str, language: str) -> Query:
    """The query with the frequent question that the text surely is, where no topic knows the asker's case better.

    Its kind stays as read, unless that was none of ours.
    """
    if query.faq or query.show:
        return query
    if len(text) > LONGEST_FAQ or SET_UP.intersection(query.stated):
        return _with_faq_of_any_model(query, text, language)
    if "remembered" in query.sources.values() and not faq.asks(text, language):
        return query  # "and with unsloth?" goes on about the set-up
    names_nothing = not (query.stated or query.symptoms or query.claims or query.kind in NOT_KEPT)
    entry = faq.find(text, language, known=query.kind is Kind.FAQ_DEFINITION, likely=names_nothing)
    none_of_ours = query.kind in NOT_KEPT
    if entry is None:
        return _with_faq_of_any_model(query, text, language)
    worth = (entry == "qlora-or-lora" and not query.gpus) or (
        entry in CARDS and query.kind in (Kind.COST_BUY_VS_RENT, Kind.WHICH_GPU)
    )
    if entry in BY_TOPIC and not (none_of_ours or worth or query.kind is Kind.FAQ_DEFINITION):
        return query
    if (entry in BY_MAKER and query.trainer and query.vendor) or _is_unsloths(query, entry):
        return query  # the topic knows whether this trainer runs there
    return query.model_copy(update={"kind": Kind.FAQ_DEFINITION if none_of_ours else query.kind, "faq": entry})


def _with_faq_of_any_model(query: Query, text: str, language: str) -> Query:
    """The same for a longer text or one that names a model, where the answer does not depend on it."""
    if len(text) > LONGEST_CASE or query.kind in OWN_FIGURES:
        return query
    case_of_own = {"seq_len"} if query.kind is Kind.FAQ_DEFINITION else {"gpus", "seq_len"}
    about_words = query.kind in ABOUT_WORDS and not case_of_own.intersection(query.stated)
    any_model = ANY_MODEL - SETTINGS if query.kind is Kind.TRAINER_CHOICE else ANY_MODEL
    among = ANY_CASE | any_model if about_words else ANY_CASE
    entry = faq.find(text, language, known=True, among=among)
    if entry in CARDS:  # the card's own entry: what is asked about it may be any card's
        entry = faq.find(ANY_CARD.sub("gpu", text), language, known=True, among=among)
    if _is_unsloths(query, entry):
        return query
    if entry in ANY_CASE:
        kind = Kind.FAQ_DEFINITION if query.kind in NOT_KEPT else query.kind
        return query.model_copy(update={"faq": entry, "kind": kind})
    if not (about_words and entry in among):
        entry = _asked_beside(text, language) if query.kind is Kind.FAQ_DEFINITION else _of_kind(query, text, language)
    return query.model_copy(update={"faq": entry}) if entry else query


def _asked_beside(text: str, language: str) -> str | None:
    """What the question in words beside a set-up asks for ("3090, 13B QLoRA. what does packing do?"), if no figures."""
    for clause in CLAUSE.findall(text):
        for spoken in dict.fromkeys((language, faq.FALLBACK)):
            asked = faq.asking_part(clause, spoken)
            if asked is None or FIGURE.search(asked):
                continue
            entry = faq.find(asked, spoken, known=True)
            if entry and entry not in BY_TOPIC | BY_MAKER | IN_FIGURES:
                return entry
    return None


def _of_kind(query: Query, text: str, language: str) -> str | None:
    """What is asked in words about cards or data alone ("does an NVLink bridge help on two 3090s?")."""
    among = OF_KIND.get(query.kind, frozenset())
    sized = {"model", "params_b"}.intersection(query.stated)
    more = query.symptoms or query.claims or query.also not in (None, Kind.FITS_CHECK)  # "can I …?" reads as fit
    if not among or sized or more:
        return None
    entry = faq.find(ANY_CARD.sub("gpu", text), language, known=True, among=among)
    return entry if entry in among else None


def _is_unsloths(query: Query, entry: str | None) -> bool:
    """Whether a card idles because of Unsloth's releases and not of the launcher: the topic knows."""
    return entry in IDLE and query.trainer == "unsloth" and query.kind is Kind.MULTI_GPU


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

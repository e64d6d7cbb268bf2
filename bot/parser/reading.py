"""From a question to a query: paste, prose, conversation; whether to speak, in which language, what to ask back."""

from collections.abc import Sequence
from typing import NamedTuple

from advisor.query import Kind, Query
from bot.messages import Question
from bot.parser.building import asks_for, build
from bot.parser.followup import follow
from bot.parser.foreign import foreign
from bot.parser.hearing import Heard, worth_answering
from bot.parser.kinds import figures_of, kind_of, likelihoods
from bot.parser.layers import state_layers
from bot.parser.logged import state_logged
from bot.parser.members import take_member
from bot.parser.pasted import read_pasted
from bot.parser.pasting import merge
from bot.parser.signs import signs_of
from bot.parser.tongue import GERMAN, OTHER
from bot.parser.trained import state_trained
from bot.parser.understanding import Parts, understand
from knowledge.language import LANGUAGES, language_code

AS_PHRASE = {
    "other": "or {}",
    "context": "{} context",
    "batch": "batch {}",
    "budget": "budget {}",
    "kind": "",
    "show": "",
    "language": "",
}
"""Arguments of a command that need a word to be understood, or that are no part of the question."""


class Reading(NamedTuple):
    """What was understood. `speak` is False only for an overheard message that is not surely ours to answer."""

    query: Query
    language: str
    speak: bool = True
    asks_for: str | None = None
    foreign: str | None = None
    """The language of the message, where it is read and not spoken, and nobody chose another."""


def read(question: Question, previous: Query | None = None) -> Reading:
    """Reads a question, given the last query of the conversation. Pure; never raises on any text."""
    parts = parts_of(_text_of(question), question.attachments, question.language or question.locale)
    signs = signs_of(parts.message, parts.findings, parts.told, parts.slots.sources)
    figures = figures_of(signs, weights_language(parts))
    query = build(parts, *kind_of(signs, figures))
    if kind := question.options.get("kind"):
        query = query.model_copy(update={"kind": Kind(kind)}) if kind in set(Kind) else query
    fresh = query
    if previous is not None:
        query = follow(previous, fresh, question.text)
    speak = True
    if question.asked == "overheard":
        likely = likelihoods(figures)
        speak = worth_answering(Heard(parts.told, parts.findings, query, likely, signs.phrases, parts.message))
    return Reading(
        query=query,
        language=language_code(question.language or (parts.tongue if parts.tongue in LANGUAGES else question.locale)),
        speak=speak,
        asks_for=asks_for(query) if query is fresh else None,
        foreign=foreign(parts.message) if parts.tongue == OTHER and not question.language else None,
    )


def parts_of(text: str, attachments: Sequence[str] = (), hint: str | None = None) -> Parts:
    """What a text says in words, and what is pasted in it and beside it."""
    pasted = read_pasted("\n".join((text, *attachments)))
    several_lines = "\n" in text or attachments
    parts = understand(text if pasted is None or not several_lines else pasted.rest, hint)
    if pasted is not None:
        merge(parts, pasted)
    state_trained(parts.slots, text)
    state_layers(parts.slots, parts.cards.cards, text)
    state_logged(parts.slots, text)
    if parts.slots.ambiguous_model:
        take_member(parts.slots, parts.cards)
    return parts


def weights_language(parts: Parts) -> str:
    """The language whose weights tell the kind."""
    return GERMAN if parts.tongue == GERMAN else LANGUAGES[0]


def _text_of(question: Question) -> str:
    """The text and the typed arguments of a command as one message."""
    if not question.options:
        return question.text
    told = (AS_PHRASE.get(name, "{}").format(value) for name, value in question.options.items())
    return " ; ".join(filter(None, (question.text, *told)))

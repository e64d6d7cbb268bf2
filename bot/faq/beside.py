"""What is asked in words beside a set-up and no topic takes up: the page that it is, or the name that nobody knows.

"llama 3 8b qlora on a 3090. pad_token = eos_token?" must not begin with "Yes, it fits".
"""

import re
from typing import NamedTuple

from advisor.asked import FAILURES
from advisor.query import Kind, Query
from bot.faq import nearest
from bot.faq.about import RARE, SENTENCE, is_named
from bot.faq.choice import ANY_CARD, CLAUSE, FIGURE, OF_A_CASE, pages
from bot.faq.entries import Reach
from bot.faq.matching import TOPIC
from bot.faq.words import split, words_of
from bot.parser.passing import STAGES, STAGES_PAGE
from bot.parser.reading import parts_of

OF_FIGURES = frozenset(
    {
        Kind.FITS_CHECK,
        Kind.WHICH_GPU,
        Kind.CONTEXT_LENGTH,
        Kind.OOM_HELP,
        Kind.MULTI_GPU,
        Kind.TIME_ESTIMATE,
        Kind.COST_BUY_VS_RENT,
        Kind.DATA_SIZE_QUALITY,
        Kind.METHOD_CHOICE,
    }
)
"""Kinds whose answers begin with what fits, takes so long, costs so much or is enough."""
IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+")
"""A setting's name: what is asked is about it."""
LONGEST_NAME = 40
BOLD, MEMORY = "**", "GiB"
MOST_ASKED = 2
"""Questions: who asks more goes through a list ("nf4? 8bit? paged optimizer?")."""
ASKS = 3.0
"""Weight of a phrase from which on it asks for a topic."""
IN_WORDS = frozenset({Kind.FAQ_DEFINITION, Kind.METHOD_CHOICE})
"""Kinds that a page may answer as well."""
UNTOLD = frozenset({"asks_normal", "beginner"})
"""Symptoms of which no topic makes an answer."""


class Beside(NamedTuple):
    """The page that answers, or the name that is asked about and that nobody knows."""

    page: str | None = None
    name: str = ""
    unsure: bool = False
    """The name is a word of the field; what is asked about it was not understood."""


def asked_beside(query: Query, text: str, language: str) -> Beside | None:
    """What is asked beside a set-up whose answer will be about figures, where its topic takes up nothing of it."""
    if query.faq or query.show or query.kind not in OF_FIGURES or OF_A_CASE.isdisjoint(query.stated):
        return None
    if text.count("?") > MOST_ASKED or (query.kind is Kind.MULTI_GPU and len(query.gpus) > 1):
        return None  # of unlike cards no page knows
    page = _explained(query, text, language)
    if page is not None:
        return Beside(page)
    told = query.claims or not UNTOLD.issuperset(query.symptoms)  # a topic may know the setting from that
    elsewhere = pages(Reach.TOPIC, Reach.CARD, Reach.MAKER, Reach.FIGURES)
    for said in SENTENCE.split(text):
        name = IDENTIFIER.search(said) if not told else None
        asked = ANY_CARD.sub("gpu", said)
        if not said.endswith("?") or (FIGURE.search(asked) and not name):
            continue
        near = nearest(asked, language)
        sure = near is not None and near.close and near.id not in elsewhere and is_named(asked, near.id, language)
        if not (sure or name) or _is_read(said, setting=not sure):
            continue
        return Beside(near.id if near else None) if sure else Beside(name=name[0][:LONGEST_NAME] if name else "")
    word = None if told else _asked_in_words(query, text, language)
    return Beside(name=word, unsure=True) if word else None


def _explained(query: Query, text: str, language: str) -> str | None:
    """The page of what somebody wants to be explained, beside a case of their own that it is then about."""
    explaining = words_of(language).explaining
    if not any(word in text.lower() for word in explaining):
        return None
    if STAGES in query.symptoms and FAILURES.isdisjoint(query.symptoms):
        return STAGES_PAGE
    elsewhere = pages(Reach.TOPIC, Reach.CARD, Reach.MAKER, Reach.FIGURES)
    for said in SENTENCE.split(text):
        for clause in CLAUSE.findall(said):
            if FIGURE.search(ANY_CARD.sub("gpu", clause)) or not any(word in clause.lower() for word in explaining):
                continue
            near = nearest(clause, language)
            if near and near.id not in elsewhere and is_named(clause, near.id, language, TOPIC if near.close else RARE):
                return near.id
    return None


def _asked_in_words(query: Query, text: str, language: str) -> str | None:
    """The word that no figure answers a question about, where hardly anything asks for those that would be told."""
    if query.kind is Kind.DATA_SIZE_QUALITY:
        return None
    words = words_of(language)
    said = [word for word in split(text) if word in words.in_words]
    if not said or not words.asks(text):
        return None
    evidence = parts_of(text).findings.evidence
    return None if any(t.name == query.kind and t.value > ASKS for _, _, t, _ in evidence) else said[0]


def _is_read(said: str, *, setting: bool) -> bool:
    """Whether the reader finds in a sentence what asks for a topic, what is believed or went wrong, or a `setting`."""
    findings = parts_of(said).findings
    in_words = {Kind.FAQ_DEFINITION} if setting else IN_WORDS
    return (setting and bool(findings.slots)) or any(
        target.section != "kinds" or (target.name not in in_words and target.value >= ASKS)
        for _, _, target, _ in findings.evidence
    )


def turned(verdict: str, text: str, language: str) -> str:
    """A verdict without its yes or no, where a question is put the other way round: "is it hopeless?" """
    words = words_of(language)
    begin = next((begin for begin in words.verdicts if verdict.startswith(BOLD + begin)), None)
    figures = MEMORY in verdict.split(BOLD)[1] if begin else False
    if begin is None or not figures or not any(_turns(said.lower(), words.turned) for said in SENTENCE.split(text)):
        return verdict
    rest = words.verdicts[begin] + verdict[len(BOLD + begin) :]
    is_name = not rest.split(" ", 1)[0].rstrip(":,").isalpha()
    return BOLD + (rest if is_name else rest[:1].upper() + rest[1:])


def _turns(said: str, phrases: tuple[str, ...]) -> bool:
    return said.endswith("?") and any(phrase in said for phrase in phrases)

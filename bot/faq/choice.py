"""Which frequent question a read message is, where no topic knows the asker's case better: Query → Query, pure."""

import re
from functools import lru_cache

from advisor.asked import FAILURES
from advisor.query import Kind, Query
from advisor.rules import not_memory
from bot.faq import FALLBACK, asking_part, asks, find, goes_on, is_about, nearest
from bot.faq.entries import Reach, entries_of
from bot.faq.told import page_told, without_told
from bot.parser.passing import STAGES, STAGES_PAGE

NOT_OURS = (Kind.OFF_TOPIC, Kind.HELP, Kind.INFERENCE_ONLY)
"""Kinds without advice: a page that surely answers is better than none; a conversation keeps the query before them."""
SET_UP = {"model", "params_b", "seq_len", "candidates"}
"""Who states one of these asks about a case of their own."""
CASE = {"gpus", "budget", "ram_gb", "dataset_examples", "dataset_tokens", "vendor", "tried_allocate_gib"}
OF_A_CASE = (SET_UP - {"seq_len"}) | CASE
"""Who states none of these asks a plain question: the nearest page answers it, however it is put."""
LONGEST = 160
"""Letters: a longer text tells a case, and is no frequent question."""
LONGEST_CASE = 240
ABOUT_WORDS = (Kind.FAQ_DEFINITION, Kind.METHOD_CHOICE, Kind.TRAINER_CHOICE)
OWN_FIGURES = frozenset({Kind.SYSTEM_RAM, Kind.COST_BUY_VS_RENT})
"""Kinds whose topic has figures of its own for what these ask."""
GGUF = "gguf"
IDLE = frozenset({"second-gpu-idle", "low-utilization"})
CLAUSE = re.compile(r"[^.,;:!?\n]+")
FIGURE = re.compile(r"\d{2}|\d ?[bkg]", re.IGNORECASE)
"""A size, length or card: what is asked is then about figures."""
ANY_CARD = re.compile(r"\b(?:rtx ?)?[2-5]0[5-9]0(?: ?ti| super)*\b", re.IGNORECASE)
"""Names of cards, some of which have pages of their own, in a text."""
SENTENCES = re.compile(r"[.?!]\s+\S")
"""A text of more than one sentence tells more than a plain question."""
QUESTION = re.compile(r"[^.?!\n]+\?")
"""What a story asks in the end."""
SHORTEST = 18
"""Letters: "any ideas?" names no page."""
CLAUSES = 3
"""So many parts of a plain question are looked at by themselves."""


def with_page(query: Query, text: str, language: str) -> Query:
    """The query with the frequent question that the text surely is, where no topic knows the asker's case better.

    Its kind stays as read, unless that was none of ours.
    """
    if query.faq or query.show:
        return query
    told, query = page_told(query), without_told(query)
    if told is not None:
        return _answered(query, told)
    if STAGES in query.symptoms and OF_A_CASE.isdisjoint(query.stated):
        return _answered(query, STAGES_PAGE)
    if _tells_speed(query) or _failed_otherwise(query):
        return query
    if "gguf_is_not_trainable" in query.claims:  # its own page, or the rule, which says so in its first sentence
        plain = len(text) <= LONGEST and not set(OF_A_CASE).intersection(query.stated)
        page = find(text, language, known=True) if plain else None
        return _answered(query, GGUF) if page == GGUF else query
    if "eval_oom_means_no_fit" in query.claims and query.kind is Kind.FAQ_DEFINITION:
        return query  # the same of saving, merging and evaluating
    if len(text) > LONGEST or (SET_UP - {"seq_len"}).intersection(query.stated):
        return _answered(query, _of_a_case(query, text, language))
    if "remembered" in query.sources.values() and (goes_on(text, language) or not asks(text, language)):
        return query  # "and with unsloth?" goes on about the set-up
    page, nearly = _page(query, text, language)
    if page is None or ("seq_len" in query.stated and query.kind is Kind.CONTEXT_LENGTH and query.gpus):
        return _answered(query, _of_a_case(query, text, language))
    return query if _topic_knows(query, page) else _answered(query, page, nearly)


def _failed_otherwise(query: Query) -> bool:
    """A run of the asker's own fails of something that is none of memory: the rule of that knows the case."""
    own = not {"model", "params_b"}.isdisjoint(query.stated) and query.kind not in NOT_OURS
    several = "no_gain" in query.symptoms and sum(card.count for card in query.gpus) > 1
    spills = {"slow_spill", "asks_spill"}.issubset(query.symptoms)
    loads = "loads_adapter" in query.symptoms and not FAILURES.isdisjoint(query.symptoms)
    return own and (several or spills or loads or not not_memory.SIGNS.isdisjoint(query.symptoms))


def _answered(query: Query, page: str | None, nearly: bool = False) -> Query:
    """The query with this page, and a kind of ours."""
    if page is None:
        return query
    kind = Kind.FAQ_DEFINITION if query.kind in NOT_OURS else query.kind
    return query.model_copy(update={"kind": kind, "faq": page, "faq_nearly": nearly})


def _topic_knows(query: Query, page: str) -> bool:
    """Whether a topic answers better than the page that a text without a set-up asks for."""
    worth = (page == "qlora-or-lora" and not query.gpus) or (
        page in pages(Reach.CARD) and query.kind in (Kind.COST_BUY_VS_RENT, Kind.WHICH_GPU)
    )
    if page in pages(Reach.TOPIC, Reach.CARD) and not (worth or query.kind in (*NOT_OURS, Kind.FAQ_DEFINITION)):
        return True
    whether_it_runs = page in pages(Reach.MAKER) and query.trainer and query.vendor
    return bool(whether_it_runs) or _is_unsloths(query, page)


def _page(query: Query, text: str, language: str) -> tuple[str | None, bool]:
    """The page that a text without a set-up asks for, and whether it is only the nearest."""
    none_of_ours = query.kind in NOT_OURS
    names_nothing = not (query.stated or query.symptoms or query.claims or none_of_ours)
    definition = query.kind is Kind.FAQ_DEFINITION
    no_card = not any(card.name or card.vram_gb for card in query.gpus)  # "two cards"
    of_a_case = OF_A_CASE - {"gpus"} if no_card else OF_A_CASE
    told = of_a_case.intersection(query.stated) or "remembered" in query.sources.values()
    plain = not (told or query.symptoms or query.claims or query.seen_gib) and not SENTENCES.search(text)
    asked = ANY_CARD.sub("gpu", text) if plain and query.gpus and not query.candidates else text
    clauses = CLAUSE.findall(asked)[:CLAUSES] if plain and definition else []
    if not plain:
        page = find(text, language, known=definition, likely=names_nothing)
        return page if page and is_about(text, page, language) else None, False
    for said in dict.fromkeys((text, asked, *clauses)):
        if (near := nearest(said, language, ours=not none_of_ours)) is not None:
            return near.id, not near.close
    return None, False


@lru_cache(maxsize=32)
def pages(*reaches: Reach) -> frozenset[str]:
    """The pages that reach so far."""
    return frozenset(entry.id for entry in entries_of(FALLBACK).values() if entry.reach in reaches)


@lru_cache(maxsize=32)
def pages_beside(kind: Kind) -> frozenset[str]:
    """The pages that answer what is asked in words beside this kind of question."""
    return frozenset(entry.id for entry in entries_of(FALLBACK).values() if kind in entry.beside)


def _of_a_case(query: Query, text: str, language: str) -> str | None:
    """The page that a longer text or one that names a model asks for, where the answer does not depend on it."""
    any_case = pages(Reach.ANY_CASE)
    if query.kind in OWN_FIGURES:
        return _one_of(pages_beside(query.kind) & any_case, text, language)
    if SENTENCES.search(text) and (page := _asked_in_the_end(text, language)):
        return page  # before what the rest of the text mentions
    if len(text) > LONGEST_CASE:
        return None
    case_of_own = {"seq_len"} if query.kind is Kind.FAQ_DEFINITION else {"gpus", "seq_len"}
    among = any_case
    if query.kind in ABOUT_WORDS and not case_of_own.intersection(query.stated):
        settings = () if query.kind is Kind.TRAINER_CHOICE else (Reach.SETTING,)  # only mentioned by who compares
        among = pages(Reach.ANY_CASE, Reach.ANY_MODEL, *settings)
    page = find(text, language, known=True, among=among)
    if page in pages(Reach.CARD):  # the card's own page: what is asked about it may be any card's
        page = find(ANY_CARD.sub("gpu", text), language, known=True, among=among)
    if _is_unsloths(query, page):
        return None
    if page in among and is_about(text, page, language):
        return page
    return _asked_beside(text, language) if query.kind is Kind.FAQ_DEFINITION else _beside_kind(query, text, language)


def _one_of(among: frozenset[str], text: str, language: str) -> str | None:
    """The page whose phrase the text contains, if it is one of these."""
    page = find(text, language, known=True, among=among) if among else None
    return page if page in among and is_about(text, page, language) else None


def _asked_in_the_end(text: str, language: str) -> str | None:
    """What a whole story asks in words alone, not what it mentions."""
    for said in QUESTION.findall(text):
        if SHORTEST < len(said) < LONGEST and not FIGURE.search(ANY_CARD.sub("gpu", said)):
            page = _one_of(pages(Reach.ANY_CASE), said, language)
            if page:
                return page
    return None


def _asked_beside(text: str, language: str) -> str | None:
    """What the question in words beside a set-up asks for ("3090, 13B QLoRA. what does packing do?"), if no figures."""
    elsewhere = pages(Reach.TOPIC, Reach.CARD, Reach.MAKER, Reach.FIGURES)
    for clause in CLAUSE.findall(text):
        for spoken in dict.fromkeys((language, FALLBACK)):
            asked = asking_part(clause, spoken)
            if asked is None or FIGURE.search(asked):
                continue
            page = find(asked, spoken, known=True)
            if page and page not in elsewhere and is_about(f"{asked}?", page, spoken):
                return page
    return None


def _beside_kind(query: Query, text: str, language: str) -> str | None:
    """What is asked in words about cards or data alone ("does an NVLink bridge help on two 3090s?")."""
    sized = {"model", "params_b"}.intersection(query.stated)
    more = query.symptoms or query.claims or query.also not in (None, Kind.FITS_CHECK)  # "can I …?" reads as fit
    if sized or more:
        return None
    return _one_of(pages_beside(query.kind), ANY_CARD.sub("gpu", text), language)


def _tells_speed(query: Query) -> bool:
    """A run of a known model on a known card whose speed is told: the topic knows what such a card does."""
    told = query.seen_s_per_step or query.seen_tokens_per_s or (query.took_hours and query.kind is Kind.TIME_ESTIMATE)
    return bool(told and query.gpus and (query.model or query.params_b))


def _is_unsloths(query: Query, page: str | None) -> bool:
    """Whether a card idles because of Unsloth's releases and not of the launcher: the topic knows."""
    return page in IDLE and query.trainer == "unsloth" and query.kind is Kind.MULTI_GPU

"""From a question to a query: normalise, find names, find phrases, fill slots, tell the kind, decide whether to speak."""

from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

from advisor.query import CardCount, Kind, Query
from bot.messages import Question
from bot.parser.cards import Card, CardReader, Cards, find_names, settle, shelf
from bot.parser.grammar import Findings, Found, Grammar, Target, grammar_of
from bot.parser.hearing import Heard, worth_answering
from bot.parser.kinds import circumstances, kind_of
from bot.parser.models import Mention, models, read_models
from bot.parser.numbers import MEMORY, SIZE, numbers_of
from bot.parser.slots import Clauses, Slots, bare_lengths, choose_model, from_phrases, inferred, money
from bot.parser.text import Message
from bot.parser.tongue import German, language_of_message
from knowledge.language import language_code

MISSING_ORDER = ("gpus", "model", "seq_len")
"""What is asked back, one thing at a time, in this order."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was understood. `speak` is False only for an overheard message that is not surely ours to answer."""

    query: Query
    language: str
    speak: bool = True
    asks_for: str | None = None
    sums: dict[str, float] = field(default_factory=dict, compare=False, repr=False)


@dataclass(slots=True)
class Parts:
    """Everything that was found in a message, before it becomes a query."""

    message: Message
    findings: Findings
    slots: Slots
    cards: Cards
    mentions: list[Mention]
    sizes: list[tuple[int, int, float]]
    told: list[str]
    language: str
    tongue: str


def read(question: Question, previous: Query | None = None) -> Reading:
    """Reads a question. Pure; never raises on any text."""
    text = " \n".join((question.text, *question.options.values())) if question.options else question.text
    pasted = _paste(text, question.attachments)
    prose = text if pasted is None or "\n" not in text else pasted.rest
    parts = understand(prose, question)
    if pasted is not None:
        _merge_pasted(parts, pasted)
    query, sums = _query(parts)
    following = False
    if previous is not None:
        followed = _followup()(previous, query, question.text)
        following = followed is not query
        query = followed
    heard = Heard(parts.told, parts.findings, query, sums, parts.message, pasted is not None)
    speak = question.asked != "overheard" or worth_answering(heard)
    language = question.language or (parts.tongue if parts.tongue in ("en", "de") else language_code(question.locale))
    return Reading(query, language_code(language), speak, None if following else asks_for(query), sums)


def understand(text: str, question: Question) -> Parts:
    """Names, numbers, phrases and slots of a text."""
    message = Message.of(text)
    tongue = language_of_message(message, question.language or question.locale)
    german = tongue == German
    grammar = grammar_of("de" if german else "en")
    numbers = numbers_of(message, german)
    findings = Findings()
    reader = CardReader(message, numbers, findings, grammar)
    find_names(reader)
    free = {at: number for at, number in numbers.items() if not message.taken[at]}
    mentions, sizes = read_models(message, free)
    free = {at: number for at, number in free.items() if number.unit == SIZE or not message.taken[at]}
    found = grammar.scan(message, free)
    findings.slots, findings.evidence, findings.marks, findings.covered = found.slots, found.evidence, found.marks, found.covered
    clauses = reader.clauses = Clauses(message, findings)
    cards = _settle(reader, findings, message)
    slots = Slots()
    from_phrases(slots, message, findings, grammar, clauses, numbers)
    hourly = money(slots, message, numbers, grammar)
    choose_model(slots, mentions, sizes, clauses, message)
    bare_lengths(slots, message, numbers, clauses, message.taken)
    if cards.ram_gb and "ram_gb" not in slots.values:
        slots.state("ram_gb", cards.ram_gb)
    if findings.has("killed") and "ram_gb" not in slots.values:
        _ram_at_death(slots, reader, message)
    if cards.rented_ram_gb:
        slots.assume("ram_gb", cards.rented_ram_gb)
    unified = next((card for card in cards.cards if card.gpu in shelf().gpus and shelf().gpus[card.gpu].vendor == "apple"), None)
    if unified is not None and unified.vram_gb:
        slots.assume("ram_gb", unified.vram_gb)
    inferred(slots, findings, unified is not None)
    told = circumstances(slots, cards, findings, _lengths(findings), hourly)
    return Parts(message, findings, slots, cards, mentions, sizes, told, "de" if german else "en", tongue)


def _settle(reader: CardReader, findings: Findings, message: Message) -> Cards:
    for found in findings.slots:
        if found.target.section in ("numbers", "ignore") and found.number is not None:
            for place in range(found.start, found.end):
                message.taken[place] = True
            if found.target.name == "ram_gb":
                reader.memory_used.add(found.number.start)
    return settle(reader)


def _ram_at_death(slots: Slots, reader: CardReader, message: Message) -> None:
    """ "gets killed at 125gb": the one amount that nothing else took is the machine's memory."""
    left = [n for n in reader.numbers.values() if n.unit == MEMORY and n.start not in reader.memory_used and not message.taken[n.start]]
    if len(left) == 1 and left[0].start and message.tokens[left[0].start - 1] in ("at", "bei", "with", "of", "mit") and left[0].value >= 8:
        slots.state("ram_gb", left[0].value)


def _lengths(findings: Findings) -> int:
    return len({found.number.length for found in findings.slots if found.target.name == "seq_len" and found.number})


def _query(parts: Parts) -> tuple[Query, dict[str, float]]:
    slots, cards, findings = parts.slots, parts.cards, parts.findings
    values = {slot: value for slot, value in slots.values.items() if not slot.startswith("_")}
    sources = dict(slots.sources)
    unknown: dict[str, str] = {}
    nearest: dict[str, tuple[str, ...]] = {}
    ambiguous: dict[str, tuple[str, ...]] = {}
    if cards.cards:
        values["gpus"] = tuple(_count(card) for card in cards.cards)
        sources["gpus"] = "assumed" if cards.assumed else "stated"
        values["candidates"] = tuple(tuple(_count(card) for card in group) for group in cards.groups)
        total = sum(card.count for card in cards.cards)
        if not cards.groups and any(card.counted for card in cards.cards):
            values["n_gpus"], sources["n_gpus"] = min(total, 100_000), sources["gpus"]
        for card in cards.cards:
            if card.missing:
                unknown["gpus"], nearest["gpus"] = card.missing[:60], card.nearest[:3]
            elif len(card.choices) > 1 and card.vram_gb is None:
                ambiguous["gpus"] = card.choices
    if "_unknown_model" in slots.values:
        name = slots.values["_unknown_model"]
        unknown["model"] = name
        nearest["model"] = models().index.nearest(name, 3, "model", least=75.0)
    if "_ambiguous_model" in slots.values:
        ambiguous["model"] = slots.values["_ambiguous_model"]
    kind, also, sums = kind_of(findings, parts.told)
    codes: dict[str, dict[str, None]] = {"claims": {}, "symptoms": {}}
    for found in findings.evidence:
        if found.target.section in codes:
            codes[found.target.section][found.target.name] = None
    claims = _claims(parts, codes["claims"])
    values |= {"kind": kind, "also": also, "claims": tuple(claims), "symptoms": tuple(codes["symptoms"])}
    values |= {"unknown": unknown, "nearest": nearest, "ambiguous": ambiguous, "sources": sources}
    return Query(**values), sums


def _claims(parts: Parts, claims: dict[str, None]) -> dict[str, None]:
    """Beliefs that only the slots show."""
    cards = parts.cards
    if cards.odd:
        claims["impossible_card"] = None
    if cards.total_gb and sum(card.count for card in cards.cards) > 1:
        claims["vram_adds_up"] = None
    if len({card.gpu for card in cards.cards if card.gpu}) > 1 and not cards.groups:
        claims["mixed_cards_add_up"] = None
    return claims


def _count(card: Card) -> CardCount:
    return CardCount(gpu=card.gpu, name=card.name, count=max(1, card.count), vram_gb=card.vram_gb or (shelf().gpus[card.gpu].vram_gb if card.gpu in shelf().gpus else None))


NEEDS_CARD = frozenset({Kind.FITS_CHECK, Kind.OOM_HELP, Kind.CONTEXT_LENGTH, Kind.MULTI_GPU, Kind.TIME_ESTIMATE, Kind.WHICH_GPU, Kind.SYSTEM_RAM})
NEEDS_LENGTH = frozenset({Kind.OOM_HELP, Kind.TIME_ESTIMATE})


def asks_for(query: Query) -> str | None:
    """The one slot that decides and is missing: cards, then the model's size, then the length."""
    if query.kind in (Kind.FAQ_DEFINITION, Kind.OFF_TOPIC, Kind.HELP, Kind.INFERENCE_ONLY, Kind.TRAINER_CHOICE, Kind.DATA_SIZE_QUALITY):
        return None
    if not query.gpus and query.kind in NEEDS_CARD:
        return "gpus"
    if query.model is None and query.params_b is None and query.kind is not Kind.COMPARE_GPUS:
        return "model"
    if query.seq_len is None and query.kind in NEEDS_LENGTH:
        return "seq_len"
    return None


@cache
def _reader_of_pastes() -> Any:
    try:
        return import_module("bot.parser.pasted").read_pasted
    except ImportError:
        return None


@cache
def _followup() -> Any:
    try:
        return import_module("bot.parser.followup").follow
    except ImportError:
        return lambda previous, fresh, text: fresh


def _paste(text: str, attachments: tuple[str, ...]) -> Any:
    read_pasted = _reader_of_pastes()
    if read_pasted is None:
        return None
    return read_pasted("\n".join((text, *attachments)) if attachments else text)


def _merge_pasted(parts: Parts, pasted: Any) -> None:
    """Slots of a paste are stated; what the words around it state wins."""
    slots = parts.slots
    for slot, value in pasted.slots.items():
        if slots.sources.get(slot) != "stated" and slot in Query.model_fields:
            if slot == "method" and value == "lora" and slots.values.get("weight_bits", pasted.slots.get("weight_bits")) == 4:
                value = "qlora"
            slots.values[slot], slots.sources[slot] = value, "stated"
    if pasted.model and slots.sources.get("model") != "stated":
        found = Message.of(pasted.model)
        mentions, sizes = read_models(found, numbers_of(found, False))
        if slots.sources.get("params_b") != "stated":
            slots.values.pop("model", None)
            slots.values.pop("params_b", None)
        choose_model(slots, mentions, sizes, Clauses(found, Findings()), found)
    if pasted.cards and not (parts.cards.cards and not parts.cards.assumed):
        parts.cards.cards = [card for card in map(_pasted_card, pasted.cards) if card is not None]
        parts.cards.assumed = False
    if pasted.slots.keys() & {"method", "seq_len", "micro_batch", "lora_rank", "sharding", "optimizer"}:
        parts.findings.evidence.append(Found(0, 1, Target("kinds", "fits_check", 5, "paste"), None))
    parts.told = circumstances(slots, parts.cards, parts.findings, _lengths(parts.findings), "hourly" in parts.told)
    for code in pasted.symptoms:  # evidence with the text itself gone: a symptom, and the kind that it asks for
        kind = "system_ram" if code == "killed" else "oom_help"
        for target in (Target("symptoms", code, None, code), Target("kinds", kind, 7, code)):
            parts.findings.evidence.append(Found(0, 1, target, None))


def _pasted_card(found: Any) -> Card | None:
    name, count, vram = found
    if not name:
        return Card(0, 0, count=count or 1, counted=bool(count), vram_gb=vram) if vram or count else None
    message = Message.of(str(name))
    reader = CardReader(message, numbers_of(message, False), Findings(), grammar_of("en"))
    find_names(reader)
    cards = settle(reader).cards
    if not cards:
        return None
    card = cards[0]
    card.count, card.counted = count or 1, bool(count)
    if vram and card.vram_gb is None:
        card.vram_gb = vram
    return card


def grammar(language: str) -> Grammar:
    """The grammar of a language, for tests and tools."""
    return grammar_of(language)

"""From what was found to a Query: slots with their sources, unknown names, kind, beliefs and symptoms."""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from operator import attrgetter
from typing import Any

from advisor.asked import FAILURES
from advisor.made import made
from advisor.query import CardCount, Kind, Query
from bot.parser.cards import Card, Cards, shelf
from bot.parser.findings import Found
from bot.parser.models import models
from bot.parser.processors import only_processor
from bot.parser.running import asks_to_train, only_runs
from bot.parser.slots import Slots
from bot.parser.text import Message
from bot.parser.understanding import Parts
from bot.parser.words import words

ALIKE = 75.0
"""How similar (0 to 100) the neighbours of an unknown model are at least."""
MOST_NEAREST = 3
SHARED = "shared_memory_counts"
OF_THE_HOST = frozenset({"killed", "disk_full", "host_grows", "merge_wants_ram", SHARED})
"""Symptoms and beliefs about the machine beside the card."""
REACH = 3
"""Tokens between "after" and "loading"."""
SHARED_REACH = 5
"""Tokens between what is split and the word."""
EARLY = frozenset({"0", "1"})
"""Steps in which a run did not die late."""
LONGEST_NAME = 60
NEARLY_FULL = 0.9
"""Share of a card in use from which on memory may be pushed out of it."""
MOST_GPUS = 100_000
COUNT, COUNTED = attrgetter("count"), attrgetter("counted")
NEEDS_CARD = frozenset(
    {
        Kind.FITS_CHECK,
        Kind.OOM_HELP,
        Kind.CONTEXT_LENGTH,
        Kind.MULTI_GPU,
        Kind.TIME_ESTIMATE,
        Kind.WHICH_GPU,
        Kind.SYSTEM_RAM,
    }
)
NEEDS_LENGTH = frozenset({Kind.OOM_HELP, Kind.TIME_ESTIMATE})
NEEDS_NOTHING = frozenset(
    {Kind.FAQ_DEFINITION, Kind.OFF_TOPIC, Kind.HELP, Kind.INFERENCE_ONLY, Kind.TRAINER_CHOICE, Kind.DATA_SIZE_QUALITY}
)


def build(parts: Parts, kind: Kind, also: Kind | None) -> Query:
    """The query of a message of a kind, with a second need or None."""
    slots = parts.slots
    values: dict[str, Any] = {
        slot: NUMBERS[slot](value) if slot in NUMBERS else value for slot, value in slots.values.items()
    }
    values["sources"] = sources = dict(slots.sources)
    names: dict[str, dict[str, Any]] = {"unknown": {}, "nearest": {}, "ambiguous": {}}
    if parts.cards.cards:
        _cards(parts.cards, values, sources, names)
    if slots.unknown_model is not None:
        names["unknown"]["model"] = slots.unknown_model
        names["nearest"]["model"] = models().index.nearest(slots.unknown_model, MOST_NEAREST, least=ALIKE)
    if slots.ambiguous_model:
        names["ambiguous"]["model"] = slots.ambiguous_model
    values["named"] = dict(slots.named)
    codes = _codes(parts)
    if kind is Kind.SYSTEM_RAM and also is not Kind.SYSTEM_RAM and not _of_ram(parts.message, codes, slots):
        kind, also = also or Kind.FITS_CHECK, None
    if "asks_spill" in codes["symptoms"] and _spills(codes, slots, parts.cards):
        kind, also = Kind.OOM_HELP, None
        values.pop("offload", None)
        sources.pop("offload", None)
    if kind is Kind.CONTEXT_LENGTH and "oom_eval" in codes["symptoms"]:
        kind = Kind.OOM_HELP
    if "at_import" in codes["symptoms"] and kind in (Kind.OOM_HELP, Kind.OFF_TOPIC) and "params_b" in slots.values:
        kind = kind if not codes["symptoms"].keys().isdisjoint(FAILURES) else Kind.FITS_CHECK
        also = None if also is Kind.OOM_HELP else also
    if Kind.SYSTEM_RAM in (kind, also) and "ram_gb" in slots.values and _one_memory(parts.cards, codes):
        kind, also = also or Kind.FITS_CHECK if kind is Kind.SYSTEM_RAM else kind, None  # "M4 Max, 64 GB RAM. 32b?"
    own_sum = "claimed_gib" in slots.values and "table_covers_me" not in codes["claims"]
    if kind is Kind.FAQ_DEFINITION and own_sum and "params_b" in slots.values:
        kind = Kind.FITS_CHECK  # "7B x 16 bytes = 112 GB, right?": a sum is judged with the figures of its model
    if only_processor(parts.message, slots, parts.cards):
        codes["symptoms"]["no_gpu_found"] = None
    has_model = "params_b" in slots.values or slots.states("model")
    _shown_by_slots(parts.cards, codes["claims"], codes["symptoms"])
    if only_runs(parts.message, kind, slots, not codes["symptoms"].keys().isdisjoint(FAILURES)):
        kind, also = Kind.INFERENCE_ONLY, None
    elif kind is Kind.INFERENCE_ONLY and has_model and asks_to_train(parts.message):
        kind, also = also or Kind.FITS_CHECK, None
    if words("only_help").issuperset(parts.message.tokens):  # or there are none
        kind, also = Kind.HELP, None
    values["claims"], values["symptoms"] = map(tuple, codes.values())
    if kind is Kind.INFERENCE_ONLY:  # bits of a model that is only run are no training set-up
        sources |= dict.fromkeys(sources.keys() & {"weight_bits", "method"}, "assumed")
    return made(Query, {**UNSET, "kind": kind, "also": also, **values, **names})


def _codes(parts: Parts) -> dict[str, dict[str, None]]:
    """The claims and symptoms that phrases tell, but for those that the words around them take back."""
    codes: dict[str, dict[str, None]] = {"claims": {}, "symptoms": {}}
    for _, _, target, _ in parts.findings.evidence:
        if target.section in codes:
            codes[target.section][target.name] = None
    if "oom_later" in codes["symptoms"] and _at_once(parts.message):
        del codes["symptoms"]["oom_later"]
    if "is_split" in codes["symptoms"] and _is_shared_out(parts):
        del codes["symptoms"]["is_split"]
    if "oom_load" in codes["symptoms"] and _once_loaded(parts.message):
        del codes["symptoms"]["oom_load"]
    if "oom_save" in codes["symptoms"] and _names_a_setting(parts.findings.evidence):
        del codes["symptoms"]["oom_save"]
    return codes


def _is_shared_out(parts: Parts) -> bool:
    """ "a batch of 64 split over 8 cards": what is shared out is no model."""
    places = [found.start for found in parts.findings.evidence if found.target.name == "is_split"]
    shared = words("batch_words") | words("data") | words("text_data") | words("example_words")
    before = (parts.message.tokens[max(0, place - SHARED_REACH) : place] for place in places)
    return all(not shared.isdisjoint(tokens) for tokens in before)


def _at_once(message: Message) -> bool:
    """ "OOM at step 0": the one step that is named is the first."""
    steps = words("steps_made")
    named = [after for token, after in pairwise(message.tokens) if token in steps and after.isdigit()]
    first, passes = words("first_words"), steps | words("passes")
    told = bool(named) or any(token in first and after in passes for token, after in pairwise(message.tokens))
    return told and EARLY.issuperset(named)


def _once_loaded(message: Message) -> bool:
    """ "sits at 41 GB after loading, then dies": all words of loading say that it was done."""
    loading, before = words("loading"), words("after_what")
    places = [p for p, token in enumerate(message.tokens) if token in loading and message.token(p + 1) != "in"]
    went = words("went_well")
    passes = words("passes") | words("steps_made")
    if any(token in words("first_words") and after in passes for token, after in pairwise(message.tokens)):
        return True  # "loads, and the first forward dies"
    return bool(places) and all(
        not before.isdisjoint(message.tokens[max(0, at - REACH) : at])
        or not went.isdisjoint(message.tokens[at + 1 : at + REACH])
        for at in places
    )


def _names_a_setting(evidence: Iterable[Found]) -> bool:
    """ "modules_to_save makes it die": every word of saving belongs to the name of that setting."""
    found = list(evidence)
    named = [f for f in found if f.target.name == "trains_embeddings"]
    saved = [f for f in found if f.target.name == "oom_save"]
    return all(any(n.start <= at < n.end for n in named for at in (f.start, f.end - 1)) for f in saved)


def _of_ram(message: Message, codes: Mapping[str, Any], slots: Slots) -> bool:
    """Something in the message is about system memory: "memory" alone may be the card's."""
    told = codes["symptoms"].keys() & OF_THE_HOST or codes["claims"].keys() & OF_THE_HOST
    offloads = slots.values.get("offload") not in (None, "none")
    return bool(told) or offloads or "ram_gb" in slots.values or not words("host_words").isdisjoint(message.tokens)


def _spills(codes: Mapping[str, Any], slots: Slots, cards: Cards) -> bool:
    """Whether a run is slow, or fills its card: who asks then whether the driver moves memory has the reason."""
    symptoms = codes["symptoms"]
    sizes = [card.vram_gb or shelf().vram_gb(card.gpu) or 0.0 for card in cards.cards]
    full = bool(sizes) and slots.values.get("seen_gib", 0.0) >= NEARLY_FULL * max(sizes) > 0
    if not (full or "slow" in symptoms or "gets_slower" in symptoms) or _are_unified(cards):
        return False
    symptoms["slow_spill"] = None
    codes["claims"].pop(SHARED, None)
    return True


def _one_memory(cards: Cards, codes: Mapping[str, Any]) -> bool:
    """Whether a machine's RAM is what its card has too, and nothing went wrong beside the card."""
    of_the_host = codes["symptoms"].keys() & OF_THE_HOST or codes["claims"].keys() & (OF_THE_HOST - {SHARED})
    return not of_the_host and _are_unified(cards)


def _are_unified(cards: Cards) -> bool:
    return bool(cards.cards) and all(card.gpu and shelf().gpus[card.gpu].unified_memory for card in cards.cards)


UNSET: dict[str, Any] = {
    name: field.get_default(call_default_factory=True) for name, field in Query.model_fields.items()
}
NUMBERS: dict[str, type[int] | type[float]] = {
    **{name: int for name, field in Query.model_fields.items() if field.annotation == int | None},
    **{name: float for name, field in Query.model_fields.items() if field.annotation == float | None},
}
"""Slot → the kind of number that it holds."""


def _cards(cards: Cards, values: dict[str, Any], sources: dict[str, str], names: dict[str, dict[str, Any]]) -> None:
    own = [card for card in cards.cards if card not in cards.apart] if cards.apart else cards.cards
    values["gpus"] = tuple(map(_count, own))
    groups = cards.groups or [[card] for card in cards.apart]
    values["candidates"] = tuple(tuple(map(_count, group)) for group in groups) if groups else ()
    sources["gpus"] = "assumed" if cards.assumed else "stated"
    if not cards.groups and any(map(COUNTED, cards.cards)):
        values["n_gpus"] = min(sum(map(COUNT, own)), MOST_GPUS)
        sources["n_gpus"] = sources["gpus"]
    for card in cards.cards:
        if card.missing:
            names["unknown"]["gpus"] = card.missing[:LONGEST_NAME]
            names["nearest"]["gpus"] = card.nearest[:MOST_NEAREST]
        elif len(card.choices) > 1 and card.vram_gb is None:
            names["ambiguous"]["gpus"] = card.choices


def _count(card: Card) -> CardCount:
    vram = card.vram_gb or shelf().vram_gb(card.gpu)
    count = {"gpu": card.gpu, "name": card.name, "count": card.count or 1, "vram_gb": float(vram) if vram else None}
    return made(CardCount, count)


def _shown_by_slots(cards: Cards, claims: dict[str, None], symptoms: dict[str, None]) -> None:
    """Beliefs that no phrase shows but the slots do."""
    single = len(cards.cards) == 1 and cards.cards[0].gpu and cards.cards[0].count == 1
    if single and not cards.total_gb:
        claims.pop("vram_adds_up", None)  # "should be plenty" of one card
    if cards.odd:
        claims["impossible_card"] = None
    if _are_unified(cards):
        claims.pop(SHARED, None)  # "DGX Spark, 128 GB shared"
        symptoms.pop("slow_spill", None)
    if cards.total_gb and sum(card.count for card in cards.cards) > 1:
        claims["vram_adds_up"] = None
    if len(cards.cards) < 2 or cards.groups or "tflops_decide" in claims:
        return  # "3090 = 70 TFLOPS and A6000 = 150": two cards of a table
    if len({card.gpu for card in cards.cards if (card.gpu or card.added) and card not in cards.apart}) > 1:
        claims["mixed_cards_add_up"] = None


def asks_for(query: Query) -> str | None:
    """The one slot that decides and is missing: cards, then the model's size, then the length."""
    if query.kind in NEEDS_NOTHING:
        return None
    if not query.gpus and query.kind in NEEDS_CARD:
        return "gpus"
    if query.model is None and query.params_b is None and query.kind is not Kind.COMPARE_GPUS:
        return "model"
    if query.seq_len is None and query.kind in NEEDS_LENGTH:
        return "seq_len"
    return None

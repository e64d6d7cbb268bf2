"""A conversation goes on: "and with 8k context?", "what about two of them?", "und mit LoRA?", "cheaper?", "why?".

Pure function of the last query and what was just said. Phrases are data: knowledge/lang/<language>/followup.yaml,
code → phrases, where the codes are

    refers   the sentence leans on the one before, so what it leaves out is remembered
    count    so many of the same card; another: one more; double, longer: twice the length
    again    the same once more, perhaps in another language
    ram, rent, time   another question about the same set-up
    cheaper, faster, why, config, fit, prices, more   what to show of the answer before (`Query.show`)
    thanks, filler   nothing was asked
"""

from collections.abc import Iterable, Mapping
from typing import Any

from advisor.query import CardCount, Kind, Query, Source
from advisor.stacks import SEQ_LEN
from bot.parser.cards.shelf import is_that_memory, shelf, shown_name
from bot.parser.followup_words import SHORT, codes_in, is_thanks, memory_in, words_of

MOST_CARDS = 1_024
FOUR_BITS = 4
LONGEST_LENGTH = 10_000_000

ALONE = {Kind.FAQ_DEFINITION, Kind.OFF_TOPIC, Kind.INFERENCE_ONLY}
"""Kinds that never lean on the query before, unless the sentence says so."""
SPOKEN_OUT = {
    Kind.SYSTEM_RAM,
    Kind.TIME_ESTIMATE,
    Kind.COST_BUY_VS_RENT,
    Kind.OOM_HELP,
    Kind.COMPARE_GPUS,
    Kind.DATA_SIZE_QUALITY,
}
"""Kinds that the words themselves ask for; the others are often only guessed from the slots."""
ASKS = {"ram": Kind.SYSTEM_RAM, "rent": Kind.COST_BUY_VS_RENT, "time": Kind.TIME_ESTIMATE}
"""Codes that ask another question about the same set-up."""
SHOWS = ("why", "config", "fit", "prices", "cheaper", "faster", "more")

SUBJECT = ("model", "params_b", "arch", "models")
CARDS = ("gpus", "candidates", "n_gpus")
NOT_KEPT = ("faq", "show", "claims", "unknown", "nearest", "ambiguous", "sources", "kind", "also", "symptoms")
OF_THE_CRASH = ("symptoms", "tried_allocate_gib", "capacity_gib")


def follow(previous: Query, fresh: Query, text: str) -> Query:
    """The query that the conversation is about now.

    `fresh` is the reading of `text` alone. Slots that it states win; what it leaves out is taken from `previous` and
    marked remembered, unless it opens a new subject.
    """
    said = codes_in(words_of(text))
    own = {slot for slot, source in fresh.sources.items() if source == "stated"}
    if not own and is_thanks(text):
        return Query(kind=Kind.HELP, show="thanks")
    show = next((code for code in SHOWS if code in said and not own & {*SUBJECT, "gpus"}), None)
    if show == "more" and said.keys() & {"another", "longer", "double", "count"}:
        show = None
    if show:
        return _shown(previous, fresh, show)
    if "again" in said and not own:
        return merged(previous, fresh, {}, previous.kind)
    if opens_subject(fresh, own, said, text):
        return fresh
    changed = {slot: getattr(fresh, slot) for slot in fresh.sources if _wins(slot, previous, own)}
    changed |= _counted(previous, fresh, said, own, words_of(text)) | _of_that_memory(previous, fresh)
    changed |= _method_of_bits(previous, fresh, changed)
    if not changed and fresh.kind in (Kind.HELP, Kind.OFF_TOPIC) and not said:
        return fresh
    return merged(previous, fresh, changed, _kind(previous, fresh, changed, said))


def opens_subject(fresh: Query, own: set[str], said: Mapping[str, int], text: str) -> bool:
    """Whether the message stands on its own: a model and a card, or a question of another kind with its own subject."""
    model = bool(own & set(SUBJECT))
    card = bool(own & {"gpus", "candidates"})
    leans = "refers" in said or bool(said.keys() & {"count", "another", "double", "longer", *ASKS})
    if model and card and "refers" not in said:
        return True
    short = len(words_of(text)) <= SHORT
    if fresh.kind in ALONE and not leans and not (own and short and fresh.kind is not Kind.FAQ_DEFINITION):
        return True
    if leans:
        return model and card and len(words_of(text)) > 2 * SHORT
    if model and own & {"method", "seq_len", "dataset_examples", "trainer"}:
        return True
    return (model or card) and not short and fresh.kind is not Kind.HELP


def merged(previous: Query, fresh: Query, changed: Mapping[str, Any], kind: Kind) -> Query:
    """`previous` with the changed slots, each marked with where it comes from."""
    kept = {slot: getattr(previous, slot) for slot in previous.sources if slot not in NOT_KEPT}
    if changed.keys() & set(SUBJECT):
        kept = _less(kept, SUBJECT)
    if changed.keys() & {"gpus", "candidates"}:
        kept = _less(kept, (*CARDS, "capacity_gib"))
        if _one_card(changed.get("gpus", ())):
            kept = _less(kept, ("sharding",))
    elif kind is Kind.OOM_HELP and previous.kind is not kind and len(previous.candidates) > 1:
        kept = _less(kept, CARDS)  # a run crashed on one of the cards that were compared: on which is not said
    if "method" in changed and "weight_bits" not in changed:
        kept = _less(kept, ("weight_bits",))
    if changed.get("method") == "full":
        kept = _less(kept, ("lora_rank", "lora_targets"))
    if kind is not Kind.OOM_HELP:
        kept = _less(kept, OF_THE_CRASH)
    sources: dict[str, Source] = {
        slot: "assumed" if previous.sources[slot] == "assumed" else "remembered" for slot in kept
    }
    sources |= {slot: fresh.sources.get(slot, "stated") for slot in changed}
    symptoms = fresh.symptoms or (previous.symptoms if kind is Kind.OOM_HELP else ())
    told = {name: _told(previous, fresh, name, kept) for name in ("unknown", "nearest", "ambiguous")}
    slots = kept | {slot: value for slot, value in changed.items() if slot != "symptoms"} | told
    return Query(**slots, kind=kind, also=fresh.also, claims=fresh.claims, symptoms=symptoms, sources=sources)


def _wins(slot: str, previous: Query, own: set[str]) -> bool:
    """Whether the message's value counts: when it is stated, belongs to a stated one, or nothing is remembered."""
    if slot in ("kind", "also"):
        return False
    with_it = next((group for group in (SUBJECT, CARDS) if slot in group), (slot,))
    return bool(own.intersection(with_it)) or getattr(previous, slot) in (None, ())


def _told(previous: Query, fresh: Query, name: str, kept: Mapping[str, Any]) -> dict[str, Any]:
    """What was unknown or ambiguous: the message's own, and the earlier ones whose slot is still the same."""
    earlier = {slot: value for slot, value in getattr(previous, name).items() if slot in kept}
    return earlier | dict(getattr(fresh, name))


def _shown(previous: Query, fresh: Query, show: str) -> Query:
    """The same query again, with the wish to see more of its answer."""
    changed = {
        slot: getattr(fresh, slot) for slot, source in fresh.sources.items() if source == "stated" and slot != "kind"
    }
    kind = previous.kind
    if show in ("cheaper", "faster"):
        kind = Kind.WHICH_GPU
        previous = previous.model_copy(
            update={
                "gpus": (), "candidates": (),
                "sources": {slot: source for slot, source in previous.sources.items() if slot not in CARDS},
            }
        )  # fmt: skip
    return merged(previous, fresh, changed, kind).model_copy(update={"show": show})


def _kind(previous: Query, fresh: Query, changed: Mapping[str, Any], said: Mapping[str, int]) -> Kind:
    """The kind of the question now: the one before, unless the words ask for another."""
    constraint = fresh.kind is Kind.COST_BUY_VS_RENT and "budget" in changed and previous.kind is not Kind.HELP
    nothing_to_compare = fresh.kind is Kind.COMPARE_GPUS and not fresh.candidates and len(fresh.gpus) < 2
    if fresh.kind in SPOKEN_OUT and not constraint and not nothing_to_compare:
        return fresh.kind
    asked = next((kind for code, kind in ASKS.items() if code in said), None)
    if asked is not None and not changed.keys() & {*SUBJECT, *CARDS}:
        return asked
    if "longer" in said or "double" in said:
        return previous.kind
    slots = set(changed)
    if not slots and fresh.kind not in (Kind.HELP, Kind.OFF_TOPIC, Kind.MIXED, Kind.COMPARE_GPUS):
        return fresh.kind
    if previous.kind in (Kind.WHICH_GPU, Kind.HELP, Kind.COMPARE_GPUS, Kind.FAQ_DEFINITION) and "gpus" in slots:
        return Kind.FITS_CHECK
    if previous.kind in (Kind.HELP, Kind.FAQ_DEFINITION, Kind.OFF_TOPIC):
        return fresh.kind
    if previous.kind is Kind.CONTEXT_LENGTH and "seq_len" in slots:
        return Kind.FITS_CHECK if previous.gpus or "gpus" in slots else Kind.WHICH_GPU
    if fresh.kind is Kind.CONTEXT_LENGTH and "seq_len" not in slots:
        return fresh.kind
    return previous.kind


def _counted(
    previous: Query, fresh: Query, said: Mapping[str, int], own: set[str], words: tuple[str, ...]
) -> dict[str, Any]:
    """Another number of the same card, or another length."""
    changed: dict[str, Any] = {}
    nameless = bool(fresh.gpus) and all(card.gpu is None and card.vram_gb is None for card in fresh.gpus)
    if previous.gpus and ("gpus" not in own or nameless) and "candidates" not in own:
        own = own - {"gpus"}
        count = fresh.n_gpus if "n_gpus" in own else sum(c.count for c in fresh.gpus) if nameless else said.get("count")
        if "another" in said and count is None:
            count = previous.gpus[0].count + 1
        if count is not None and 1 <= count <= MOST_CARDS and (len(own) == 0 or "n_gpus" in own):
            changed["gpus"] = (previous.gpus[0].model_copy(update={"count": count}),)
    if not own and not changed and (memory := memory_in(words)) is not None:
        changed["gpus"] = (CardCount(vram_gb=memory),)
    if ("longer" in said or "double" in said) and "seq_len" not in own:
        changed["seq_len"] = min(2 * (previous.seq_len or SEQ_LEN), LONGEST_LENGTH)
    return changed


def _of_that_memory(previous: Query, fresh: Query) -> dict[str, Any]:
    """ "the 12 GB one" after "a 3060": the row of that memory, where the name left it open."""
    named = [card for card in previous.gpus if card.gpu in previous.ambiguous.get("gpus", ())]
    said = fresh.gpus[0] if len(fresh.gpus) == 1 and not fresh.candidates else None
    if len(named) != 1 or said is None or said.gpu or said.vram_gb is None:
        return {}
    gpus = shelf().gpus
    row = next((g for g in previous.ambiguous["gpus"] if is_that_memory(said.vram_gb, gpus[g].vram_gb)), None)
    if row is None:
        return {}
    card = CardCount(gpu=row, name=shown_name(gpus[row]), count=named[0].count, vram_gb=gpus[row].vram_gb)
    return {"gpus": tuple(card if other is named[0] else other for other in previous.gpus)}


def _method_of_bits(previous: Query, fresh: Query, changed: Mapping[str, Any]) -> dict[str, Any]:
    """Other bits alone make another method of the one before: LoRA in 4 bits is QLoRA, QLoRA in 16 bits is LoRA."""
    bits = changed.get("weight_bits")
    if bits is None or fresh.sources.get("method") == "stated" or previous.method is None:
        return {}
    if bits == FOUR_BITS:
        return {"method": "qlora"}
    return {"method": "lora"} if previous.method == "qlora" else {}


def _less(slots: dict[str, Any], gone: Iterable[str]) -> dict[str, Any]:
    return {slot: value for slot, value in slots.items() if slot not in gone}


def _one_card(cards: tuple[CardCount, ...]) -> bool:
    return sum(card.count for card in cards) == 1

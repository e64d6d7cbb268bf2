"""A query in at most 40 characters, and back: what travels in the ids of buttons.

Layout: one version character, then bits: kind, which essential slots are there, those slots, the cards, the
alternatives to compare, whether extras follow, which, and the extras. A slot that we assumed ourselves is not written,
it would be assumed again; only an assumed model or card is, with a mark.
"""

from collections.abc import Collection, Sequence
from typing import Any

from pydantic import ValidationError

from advisor.query import CardCount, Query, Source
from bot.codec import catalog_hash, words
from bot.codec.bits import BitReader, BitWriter, BrokenError, CannotPackError
from bot.codec.fields import ESSENTIAL, EXTRA, Field
from knowledge.catalog import load_catalog

VERSION = "b"
LONGEST = 40
MOST_CARDS = 3
"""Kinds of card per set-up, and set-ups to compare."""


def pack(query: Query) -> str | None:
    """The query in at most 40 characters of A-Z a-z 0-9 - _, or None when it does not fit or cannot be written.

    Extras (data, budget, symptoms ...) are dropped from the last one on until it fits.
    """
    extras = [field for field in EXTRA if _kept(query, field.slot)]
    while True:
        try:
            text = _packed(query, extras)
        except CannotPackError:
            return None
        if len(text) <= LONGEST:
            return text
        if not extras:
            return None
        extras.pop()


def unpack(state: str) -> Query | None:
    """The query of a packed text, all slots marked remembered (or assumed); None when it is not one."""
    if not state.startswith(VERSION) or len(state) > LONGEST:
        return None
    try:
        return _unpacked(BitReader(state[len(VERSION) :]))
    except (BrokenError, ValidationError):
        return None


def _packed(query: Query, extras: Collection[Field]) -> str:
    out = BitWriter()
    out.bits(words.KINDS.index(query.kind), 5)
    _write_fields(out, query, ESSENTIAL, [field for field in ESSENTIAL if _kept(query, field.slot)])
    if query.model is not None:
        out.bits(_assumed(query, "model"), 1)
    _write_cards(out, query.gpus)
    if query.gpus:
        out.bits(_assumed(query, "gpus"), 1)
    out.bits(_few(query.candidates), 2)
    for candidate in query.candidates:
        _write_cards(out, candidate)
    writable = [field for field in extras if _can_write(query, field)]
    out.bits(bool(writable), 1)
    if writable:
        _write_fields(out, query, EXTRA, writable)
    return VERSION + out.text()


def _unpacked(source: BitReader) -> Query:
    kind = source.bits(5)
    if kind >= len(words.KINDS):
        raise BrokenError("kind")
    slots = _read_fields(source, ESSENTIAL)
    sources: dict[str, Source] = dict.fromkeys(slots, "remembered")
    if "model" in slots and source.bits(1):
        sources["model"] = "assumed"
    cards = _read_cards(source)
    if cards:
        slots["gpus"] = cards
        sources["gpus"] = "assumed" if source.bits(1) else "remembered"
    candidates = tuple(_read_cards(source) for _ in range(source.bits(2)))
    if candidates:
        slots["candidates"] = candidates
        sources["candidates"] = "remembered"
    if source.bits(1):
        extras = _read_fields(source, EXTRA)
        slots |= extras
        sources |= dict.fromkeys(extras, "remembered")
    source.end()
    return Query(kind=words.KINDS[kind], sources=sources, **slots)


def _write_fields(out: BitWriter, query: Query, all_fields: Sequence[Field], present: Sequence[Field]) -> None:
    there = {field.slot for field in present}
    mask = 0
    for field in all_fields:
        mask = mask << 1 | (field.slot in there)
    out.bits(mask, len(all_fields))
    for field in present:
        field.write(out, getattr(query, field.slot))


def _read_fields(source: BitReader, all_fields: Sequence[Field]) -> dict[str, Any]:
    mask = source.bits(len(all_fields))
    last = len(all_fields) - 1
    present = [field for at, field in enumerate(all_fields) if mask >> last - at & 1]
    return {field.slot: field.read(source) for field in present}


def _write_cards(out: BitWriter, cards: Sequence[CardCount]) -> None:
    out.bits(_few(cards), 2)
    for card in cards:
        out.bits(card.gpu is not None, 1)
        if card.gpu is not None:
            out.bits(catalog_hash.number_of("gpus", card.gpu), catalog_hash.WIDTH["gpus"])
        out.number(card.count)
        known = load_catalog().gpus[card.gpu].vram_gb if card.gpu is not None else None
        own = card.vram_gb if card.vram_gb != known else None
        out.bits(own is not None, 1)
        if own is not None:
            out.number(round(own * 10))


def _read_cards(source: BitReader) -> tuple[CardCount, ...]:
    return tuple(_read_card(source) for _ in range(source.bits(2)))


def _read_card(source: BitReader) -> CardCount:
    gpu = catalog_hash.name_of("gpus", source.bits(catalog_hash.WIDTH["gpus"])) if source.bits(1) else None
    count = source.number()
    known = load_catalog().gpus[gpu] if gpu is not None else None
    own = source.number() / 10 if source.bits(1) else None
    vram_gb = own if own is not None else (known.vram_gb if known else None)
    name = known.name if known else ""
    return CardCount(gpu=gpu, name=name, count=count, vram_gb=vram_gb)


def _few(several: Sequence[object]) -> int:
    if len(several) > MOST_CARDS:
        raise CannotPackError("too many cards")
    return len(several)


def _kept(query: Query, slot: str) -> bool:
    value = getattr(query, slot)
    if value is None or value == ():
        return False
    return query.sources.get(slot) != "assumed" or slot == "model"


def _assumed(query: Query, slot: str) -> int:
    return int(query.sources.get(slot) == "assumed")


def _can_write(query: Query, field: Field) -> bool:
    """An extra with a value that has no number is left out; it does not spoil the rest."""
    try:
        field.write(BitWriter(), getattr(query, field.slot))
    except CannotPackError:
        return False
    return True

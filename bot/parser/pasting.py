"""What a paste says, put together with what the words around it say: those win where both state a slot."""

from typing import Any

from advisor.query import Query
from bot.parser.cards import Card, CardReader, find_names, settle, shelf, shown_name
from bot.parser.cards.shelf import is_that_memory
from bot.parser.circumstances import circumstances
from bot.parser.clauses import Clauses
from bot.parser.findings import Findings, Found, target_of
from bot.parser.grammar import grammar_of
from bot.parser.models import read_models
from bot.parser.numbers import numbers_of
from bot.parser.subject import choose_model
from bot.parser.text import Message
from bot.parser.understanding import Parts, count_cards

TELLS_A_RUN = frozenset({"method", "seq_len", "micro_batch", "lora_rank", "sharding", "optimizer"})
"""Slots that make a paste a training configuration: whoever pastes one asks whether it fits."""
DERIVED = frozenset({"ram_gb"})
"""Slots that a log only lets one work out: "28.43 GB = 22.6%"."""
FITS_WEIGHT, TROUBLE_WEIGHT = 5, 7


def merge(parts: Parts, pasted: Any) -> None:
    """Adds a paste's slots, cards, model and symptoms to what the prose says."""
    slots = parts.slots
    bits = slots.values.get("weight_bits", pasted.slots.get("weight_bits"))
    for slot, value in pasted.slots.items():
        if slot in DERIVED:
            slots.assume(slot, value)
        elif slot in Query.model_fields and not slots.states(slot):
            four_bit_lora = slot == "method" and value == "lora" and bits == 4
            slots.values[slot], slots.sources[slot] = "qlora" if four_bit_lora else value, "stated"
    if pasted.model and not slots.states("model"):
        _merge_model(parts, str(pasted.model))
    if pasted.cards and (parts.cards.assumed or not parts.cards.cards):
        parts.cards.cards = [card for found in pasted.cards if (card := _card(*found)) is not None]
        parts.cards.assumed = False
    if len(pasted.cards) < 2:
        count_cards(slots, parts.cards)
    _row_of_capacity(parts)
    evidence = parts.findings.evidence
    if pasted.slots.keys() & TELLS_A_RUN:
        evidence.append(Found(0, 1, target_of("kinds", "fits_check", FITS_WEIGHT, "paste"), None))
    parts.told = circumstances(slots, parts.cards, parts.findings, "hourly" in parts.told)
    for code in pasted.symptoms:  # evidence with the text itself gone: a symptom, and the kind that it asks for
        kind = "system_ram" if code == "killed" else "oom_help"
        for target in (target_of("symptoms", code, None, code), target_of("kinds", kind, TROUBLE_WEIGHT, code)):
            evidence.append(Found(0, 1, target, None))


def _row_of_capacity(parts: Parts) -> None:
    """ "total capacity of 39.39 GiB" tells which of the cards of that name it is."""
    capacity = parts.slots.values.get("capacity_gib")
    if capacity is None:
        return
    for card in parts.cards.cards:
        if card.vram_gb is not None or len(card.choices) < 2 or card.own_vram is not None:
            continue
        book = shelf()
        named = filter(None, (card.gpu, *card.choices))
        rows = [row for row in named if is_that_memory(capacity, book.vram_gb(row) or 0.0)]
        if rows:
            card.gpu, card.vram_gb, card.choices = rows[0], book.vram_gb(rows[0]), ()
            card.name = shown_name(book.gpus[rows[0]])


def _merge_model(parts: Parts, written: str) -> None:
    message = Message.of(written)
    mentions, sizes = read_models(message, numbers_of(message, german=False))
    if not parts.slots.states("params_b"):
        parts.slots.drop("model")
        parts.slots.drop("params_b")
    choose_model(parts.slots, mentions, sizes, Clauses(message, Findings()), message)


def _card(name: str | None, count: int | None, vram_gb: float | None) -> Card | None:
    """A card as a paste names it, looked up."""
    if not name:
        known = bool(vram_gb or count)
        return Card(0, 0, count=count or 1, counted=bool(count), vram_gb=vram_gb) if known else None
    message = Message.of(str(name))
    reader = CardReader(message, numbers_of(message, german=False), Findings(), grammar_of("en"))
    find_names(reader)
    found = settle(reader).cards
    if not found:
        return None
    card = found[0]
    card.count, card.counted, card.vram_gb = count or 1, bool(count), card.vram_gb or vram_gb
    return card

"""Figures that nobody trains with are more probably misread: they are left out, and asked about by name."""

from bot.parser.cards import CardReader, Cards
from bot.parser.slots import Slots

MOST = {"micro_batch": 511, "lora_rank": 2047, "seq_len": 10_485_760}
"""Slot → the largest value that is computed with: rule odd_value has the usual ones; 10M tokens is the longest context
that any model is made for (Llama 4 Scout).
"""
MOST_NAMELESS = 64
"""Cards without a name that a question speaks of."""


def left_out(slots: Slots, cards: Cards) -> None:
    """Takes absurd values out of the slots; `named["odd"]` is the slot and the value of the first of them."""
    odd: tuple[str, str] | None = None
    for slot, most in MOST.items():
        if slots.values.get(slot, 0) > most:
            value = slots.drop(slot)
            odd = odd or (slot, str(value))
    for card in cards.cards:
        if card.gpu is None and not card.missing and card.count > MOST_NAMELESS:
            odd = odd or ("n_gpus", str(card.count))
            card.count, card.counted = 1, False
            slots.drop("n_gpus")
    if odd is not None:
        slots.named["odd"] = odd


def drop_usage(slots: Slots, cards: Cards, reader: CardReader) -> None:
    """ "this one eats 34 GB, that one 10 GB": a bare amount beside a larger one in use is no card."""
    if "seen_gib" not in slots.values or len(cards.cards) != 1:
        return
    card, tokens = cards.cards[0], reader.message.tokens
    bare = card.gpu is None and not card.missing and card.count == 1 and card.vram_gb is not None
    unnamed = reader.lists["card"].keys().isdisjoint(tokens) and reader.lists["vram"].keys().isdisjoint(tokens)
    if bare and unnamed and slots.values["seen_gib"] > (card.vram_gb or 0):
        cards.cards = []

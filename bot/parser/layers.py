"""Layers spread over several cards: `device_map="auto"` in a script, or named."""

import re

from bot.parser.cards import Card
from bot.parser.slots import Slots

DEVICE_MAP = re.compile(r"device_map\W{1,4}(?:auto|balanced|sequential)", re.IGNORECASE)


def state_layers(slots: Slots, cards: list[Card], text: str) -> None:
    """Fills sharding where a device map spreads one model over several cards; on one card it spreads nothing."""
    if "device_map" not in text or slots.states("sharding") or DEVICE_MAP.search(text) is None:
        return
    if sum(card.count for card in cards) > 1:
        slots.state("sharding", "pipeline")

"""A server without a number of cards: "405B on one H100 node" means the eight that such a machine has."""

from itertools import pairwise

from bot.parser.cards import Card, CardReader, Cards, shelf
from bot.parser.slots import Slots

EIGHT = 8
"""Cards of a machine with NVIDIA's SXM board. Source: NVIDIA, HGX A100, H100, H200 and B200 (eight, or four)."""
FORM = "-sxm"


def whole_machine(slots: Slots, reader: CardReader, cards: Cards) -> None:
    """Eight cards, where one kind of an SXM board is named as a node, and no number of it."""
    if len(cards.cards) != 1 or cards.groups or cards.assumed or slots.states("n_gpus"):
        return
    card = cards.cards[0]
    if card.count > 1 or not card.gpu or FORM not in card.gpu or card.gpu not in shelf().gpus:
        return
    if _is_node(reader, card) or (not card.counted and _one_node(reader)):
        card.count, card.counted = EIGHT, True


def _is_node(reader: CardReader, card: Card) -> bool:
    """ "H100 80GB machines", "one A100 node"."""
    return reader.next_word(card.end) in reader.lists["node"]


def _one_node(reader: CardReader) -> bool:
    """ "on one node", "auf einem Knoten"."""
    counts, tokens = reader.lists["count"], reader.message.tokens
    nodes = reader.lists["server_node"]
    return any(token in nodes and counts.get(before) == "1" for before, token in pairwise(tokens))

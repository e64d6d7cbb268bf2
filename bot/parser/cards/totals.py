"""What several cards have together: "3090s, 48 GB in total" names how many, "4 cards, 96 GB" what each of them has."""

from bot.parser.cards.memory import pick_row
from bot.parser.cards.reader import CardReader
from bot.parser.cards.shelf import VRAM_SIZES, shelf

MOST_IN_A_TOTAL = 64
NEAR_TOTAL = 0.05


def read_total(reader: CardReader) -> None:
    """A total over cards of one kind names their count, or their memory."""
    if not reader.totals:
        return
    cards = [card for card in reader.found if card.gpu or card.vram_gb or card.counted]
    if len(cards) != 1:
        return
    total, card = max(reader.totals), cards[0]
    vram = card.vram_gb or shelf().vram_gb(card.gpu)
    if vram and not card.counted:
        count = round(total / vram)
        if 2 <= count <= MOST_IN_A_TOTAL and abs(count * vram - total) <= NEAR_TOTAL * total:
            card.count, card.counted = count, True
    elif card.counted and card.count > 1 and card.vram_gb is None:
        each = total / card.count
        if each in VRAM_SIZES and (vram is None or abs(each - vram) > 2 * NEAR_TOTAL * vram):
            card.vram_gb = each
            pick_row(card)

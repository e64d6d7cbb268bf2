"""Cards as people write them: counts before, after and in words, memory beside the name, nameless cards, totals.

Every mention is read where it stands; then the mentions of a message are put together: hearsay and offers are left out
when the asker has cards of their own, a total names a count or a memory, a memory size picks the catalog's row.
"""

from bot.parser.cards.named import find_names
from bot.parser.cards.reader import Card, CardReader, Cards
from bot.parser.cards.settle import settle
from bot.parser.cards.shelf import shelf, shown_name

__all__ = ["Card", "CardReader", "Cards", "find_names", "settle", "shelf", "shown_name"]

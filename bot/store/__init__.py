"""The store: what must outlive the process. `Store` is all that the rest of the bot uses."""

from bot.store.errors import StoreCorrupt, StoreError, StoreInUse, StoreUnavailable, cure_of
from bot.store.store import Store
from bot.store.values import GivenAnswer, Known, Preferences
from bot.store.writer import Op, Step

__all__ = [
    "GivenAnswer",
    "Known",
    "Op",
    "Preferences",
    "Step",
    "Store",
    "StoreCorrupt",
    "StoreError",
    "StoreInUse",
    "StoreUnavailable",
    "cure_of",
]

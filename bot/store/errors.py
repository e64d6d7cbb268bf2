"""What can go wrong with the store, each with what to do.

StoreError
├── StoreUnavailable   the database does not take it now: locked, full, gone. Do not confirm the event; try again.
├── StoreCorrupt       the SQLite file is damaged; the message says how to restore
└── StoreInUse         another process serves from the same SQLite file
"""


class StoreError(Exception):
    """Base of the store's errors."""


class StoreUnavailable(StoreError):
    """The database does not take it now."""


class StoreCorrupt(StoreError):
    """The SQLite file is damaged."""


class StoreInUse(StoreError):
    """Another process serves from the same SQLite file."""

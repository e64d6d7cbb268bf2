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


CURES = {
    "full": "make room on its disk; it goes on by itself",
    "locked": "close the program that holds the file; it goes on by itself",
    "readonly": "let the user that runs whichgpu write to the file and its folder",
    "unable to open": "let the user that runs whichgpu write to its folder",
    "password": "mend the password in WHICHGPU_DATABASE_URL",
    "does not exist": "make the database and its user, or mend WHICHGPU_DATABASE_URL",
}
"""A word of the database's own → what to do."""


def cure_of(reason: str) -> str:
    """What to do about a database that does not answer, from its own words."""
    said = reason.lower()
    other = "check that the server runs and that WHICHGPU_DATABASE_URL names it"
    return next((cure for word, cure in CURES.items() if word in said), other)

"""Catalog ids as short numbers that stay the same when the catalog grows."""

from collections.abc import Iterable
from functools import cache
from hashlib import blake2s

from bot.codec.bits import BrokenError, CannotPackError
from knowledge.catalog import load_catalog

WIDTH = {"models": 24, "gpus": 22}
"""Bits of the hash per table. Two ids that share a number are not packed: no button ever means the wrong card."""


def number_of(table: str, name: str) -> int:
    """The number of a catalog id. Raises CannotPackError for an unknown one, and for one that shares its number."""
    value = hashed(name, WIDTH[table])
    if by_number(table).get(value) != name:
        raise CannotPackError(name)
    return value


def name_of(table: str, value: int) -> str:
    """The catalog id of a number. Raises BrokenError for one that nothing has any more."""
    name = by_number(table).get(value)
    if name is None:
        raise BrokenError(f"{table} {value}")
    return name


@cache
def by_number(table: str) -> dict[int, str]:
    """Number → id for a table of the catalog; of models also the hub ids that share another one's shape."""
    entries = getattr(load_catalog(), table)
    others = (name.split(" ")[0] for entry in entries.values() for name in getattr(entry, "siblings", ()))
    return index(dict.fromkeys((*entries, *others)), WIDTH[table])


def index(names: Iterable[str], width: int) -> dict[int, str]:
    """Number → name, without the numbers that two names share."""
    found: dict[int, str] = {}
    shared: set[int] = set()
    for name in names:
        value = hashed(name, width)
        if value in found:
            shared.add(value)
        found[value] = name
    return {value: name for value, name in found.items() if value not in shared}


def hashed(name: str, width: int) -> int:
    """The first `width` bits of the name's BLAKE2s."""
    return int.from_bytes(blake2s(name.encode(), digest_size=4).digest(), "big") >> 32 - width

"""Sums for all kinds of question at once: a whole number holds a figure for each kind, so adding two adds them all."""

from collections.abc import Mapping
from struct import Struct

from advisor.query import Kind

KINDS = tuple(kind for kind in Kind if kind is not Kind.MIXED)
"""The kinds that a message can be. `mixed` is what two needs make, never what words say."""
PLACE = {kind.value: place for place, kind in enumerate(KINDS)}
BITS = 32
ONE = 1 << 16
"""What 1.0 is in a field: figures are exact to five places and may grow to thirty thousand."""
_FIELDS = Struct(f"<{len(KINDS)}I")
_HALF = 1 << (BITS - 1)
_HALVES = sum(_HALF << (BITS * place) for place in range(len(KINDS)))


def pack(figures: Mapping[str, float], scale: float = 1.0) -> int:
    """One number from a figure for each kind."""
    return sum(round(value * scale * ONE) << (BITS * PLACE[kind]) for kind, value in figures.items())


def unpack(packed: int) -> tuple[int, ...]:
    """The figures of a sum, in the order of KINDS: ONE is 1.0, and all are higher by the same."""
    return _FIELDS.unpack((packed + _HALVES).to_bytes(_FIELDS.size, "little"))

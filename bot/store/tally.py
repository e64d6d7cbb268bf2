"""Counts of what is asked, gathered in memory and written twice a minute: no names of people, no words."""

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bot.store.values import clean
from bot.store.writer import Op

if TYPE_CHECKING:
    from bot.store.store import Store

NAME_CHARS = 64
NAMES_AT_A_TIME = 500
"""More different unknown names than this between two writings are noise."""


class Tally:
    """`asked` and `unknown` count; `flush` writes."""

    def __init__(self, store: "Store") -> None:
        self._store = store
        self._asked: Counter[tuple[str, str, str, str]] = Counter()
        self._unknown: Counter[tuple[str, str]] = Counter()

    def asked(self, platform: str, kind: str, outcome: str, language: str) -> None:
        """One question: what kind, and whether it was answered."""
        self._asked[platform, kind, outcome, language] += 1

    def unknown(self, slot: str, name: str) -> None:
        """Somebody asked for a model or card that the catalog lacks."""
        key = (slot[:32], " ".join(clean(name.lower(), NAME_CHARS).split()))
        if key[1] and (key in self._unknown or len(self._unknown) < NAMES_AT_A_TIME):
            self._unknown[key] += 1

    def flush(self) -> None:
        """Hand the counts to the writer."""
        now = datetime.now(UTC)
        names = ("platform", "kind", "outcome", "language")
        parts: list[Op] = []
        for row, count in self._asked.items():
            values: dict[str, Any] = {"day": now.date(), "count": count, **dict(zip(names, row, strict=True))}
            parts.append(Op(self._store.say.tally, values))
        for (slot, name), count in self._unknown.items():
            parts.append(
                Op(self._store.say.unknown, {"slot": slot, "name": name, "asked": count, "last": now.timestamp()})
            )
        self._asked.clear()
        self._unknown.clear()
        if parts:
            self._store.writer.submit(parts, keep=True)

"""The slots of a message while they are gathered: value and source of each."""

from typing import Any

from bot.parser.numbers import Number


class Slots:
    """Slots being gathered: value and source of each. `named` keeps all values of a slot where several were named."""

    __slots__ = (
        "ambiguous_model",
        "bare_lengths",
        "later",
        "methods",
        "named",
        "sources",
        "trainers",
        "unknown_model",
        "values",
    )

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.sources: dict[str, str] = {}
        self.methods: tuple[str, ...] = ()
        self.named: dict[str, tuple[str, ...]] = {}
        self.trainers: tuple[str, ...] = ()
        self.bare_lengths: list[Number] = []
        self.later = False
        """Whether the only training that is named is put off."""
        self.unknown_model: str | None = None
        self.ambiguous_model: tuple[str, ...] = ()

    def state(self, slot: str, value: Any) -> None:
        """The text says so. The first statement stays."""
        if self.sources.get(slot) != "stated":
            self.values[slot], self.sources[slot] = value, "stated"

    def assume(self, slot: str, value: Any) -> None:
        """The text does not say so; it is what is usually meant."""
        if slot not in self.values:
            self.values[slot], self.sources[slot] = value, "assumed"

    def states(self, slot: str) -> bool:
        """Whether the text says it."""
        return self.sources.get(slot) == "stated"

    def drop(self, slot: str) -> Any:
        """Takes a slot out again."""
        self.sources.pop(slot, None)
        return self.values.pop(slot, None)

"""What the grammar finds in a message."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bot.parser.numbers import Number


class Target(NamedTuple):
    """What a phrase means: the section and name it stands under, a value or weight, and the phrase itself."""

    section: str
    name: str
    value: Any
    phrase: str


class Found(NamedTuple):
    """A phrase at tokens[start:end]."""

    start: int
    end: int
    target: Target
    number: Number | None


@dataclass(slots=True)
class Findings:
    """Everything that was found in a message, in order of place."""

    slots: list[Found] = field(default_factory=list)
    evidence: list[Found] = field(default_factory=list)
    marks: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """Name of a mark or word list → places of its phrases."""
    covered: list[tuple[int, int]] = field(default_factory=list)
    """Where memory ran out: "not enough memory" does not ask whether something is enough."""

    def has(self, mark: str) -> bool:
        """Whether a mark was found anywhere."""
        return mark in self.marks

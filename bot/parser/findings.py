"""What the grammar finds in a message."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from sys import intern
from typing import Any, NamedTuple

from bot.parser.numbers import Number

USED_UP = frozenset({"numbers", "values", "ignore"})
"""Sections whose phrases use up their tokens."""
ALONE = frozenset({"numbers", "ignore"})
"""Sections of which one phrase at a place is enough, whatever its name."""


@dataclass(slots=True, unsafe_hash=True)
class Target:
    """What a phrase means: the section and name it stands under, a value or weight, and the phrase itself.

    Never changed; no tuple, because its parts are read all the time.

    `rival`: of the phrases with the same one that start at a place, the longest wins.
    """

    section: str
    name: str
    value: Any
    phrase: str
    rival: str
    uses_up: bool
    is_mark: bool


def target_of(section: str, name: str, value: Any, phrase: str) -> Target:
    """A target with what is derived from its section."""
    rival = section if section in ALONE else intern(f"{section} {name}")
    weight = _weight(value) if section == "kinds" else value
    return Target(section, name, weight, phrase, rival, section in USED_UP, section in ("atom", "marks"))


@cache
def _weight(written: str) -> float:
    """One number for all phrases that weigh the same."""
    return float(written)


class Found(NamedTuple):
    """A phrase at tokens[start:end]."""

    start: int
    end: int
    target: Target
    number: Number | None


found_at: Callable[[tuple[int, int, Target, Number | None]], Found] = partial(tuple.__new__, Found)
"""Found from all that it holds, without looking through names."""


class Findings:
    """Everything that was found in a message, in order of place."""

    __slots__ = ("covered", "evidence", "marks", "slots")

    def __init__(self) -> None:
        self.slots: list[Found] = []
        self.evidence: list[Found] = []
        self.marks: dict[str, list[int]] = defaultdict(list)
        """Name of a mark or word list → places of its phrases."""
        self.covered: list[tuple[int, int]] = []
        """Where memory ran out: "not enough memory" does not ask whether something is enough."""

    def has(self, mark: str) -> bool:
        """Whether a mark was found anywhere."""
        return mark in self.marks

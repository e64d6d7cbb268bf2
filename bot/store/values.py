"""What the store hands out, and the cleaning of text that it takes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from advisor.query import Query


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a person has chosen; None: not chosen."""

    language: str | None = None
    units: str | None = None
    currency: str | None = None
    opt_out: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """What is known about a person in a chat."""

    query: Query | None = None
    preferences: Preferences = Preferences()


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer that was sent: the platform's id of it, and what the adapter wants to know to edit it."""

    answer: str
    person: str
    extra: Mapping[str, Any] = field(default_factory=dict)


def clean(text: str, most: int) -> str:
    """Text that every database takes: no NUL, no lone surrogates, cut short."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "")[:most]

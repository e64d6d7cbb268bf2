"""What the store hands out, and the cleaning of text that it takes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

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


def query_of(row: Iterable[Any] | None) -> Query | None:
    """The query in a row of a look-up."""
    if row is None:
        return None
    try:
        return Query.model_validate_json(tuple(row)[2])
    except ValidationError:  # written by another version: start afresh
        return None


def preferences_of(row: Iterable[Any] | None) -> Preferences:
    """The preferences in a row of a look-up."""
    if row is None:
        return Preferences()
    _, _, language, units, currency, opt_out = row
    return Preferences(language, units, currency, bool(opt_out))

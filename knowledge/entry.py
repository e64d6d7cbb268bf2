"""What all entries in facts/ have in common: frozen, nothing unknown, values that YAML reads in more than one way."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator


def _partial_date(value: object) -> object:
    """YAML reads 2026-05-07 as a date and 2026 as a number; both are kept as text."""
    if isinstance(value, date) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    return value


def _texts(value: object) -> object:
    """One text may stand for a list of one."""
    return (value,) if isinstance(value, str) else value


def _words(value: object) -> object:
    """YAML reads an alias such as 3090 as a number, and `no` as false."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, int | float) else value


PartialDate = Annotated[str, BeforeValidator(_partial_date), Field(pattern=r"^\d{4}(-\d{2}(-\d{2})?)?$")]
"""2026, 2026-05 or 2026-05-07: as exact as the source is."""
Word = Annotated[str, BeforeValidator(_words), Field(min_length=1, max_length=300)]
Text = Annotated[str, Field(min_length=1, max_length=2_000)]
Sources = Annotated[tuple[Text, ...], BeforeValidator(_texts), Field(min_length=1)]
"""Where it stands: web addresses, or keys of sources.yaml with the place after a colon ("litgpt: Llama-2-7b-hf")."""
Count = Annotated[int, Field(gt=0)]
Positive = Annotated[float, Field(gt=0)]


class Entry(BaseModel):
    """Base of all entries. `groups` are keys whose content belongs to the entry itself; they only help the eye."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())
    groups: ClassVar[tuple[str, ...]] = ()

    @model_validator(mode="before")
    @classmethod
    def _ungroup(cls, values: Any) -> Any:
        if not isinstance(values, dict) or not any(group in values for group in cls.groups):
            return values
        flat = {key: value for key, value in values.items() if key not in cls.groups}
        for group in cls.groups:
            inner = values.get(group) or {}
            if not isinstance(inner, dict):
                raise ValueError(f"{group}: should be a mapping such as {group}: {{field: value}}")
            if twice := sorted(flat.keys() & inner.keys()):
                raise ValueError(f"{group}: {', '.join(twice)} stands both inside and outside of it")
            flat |= inner
        return flat


class Sourced(Entry):
    """An entry that says where it comes from and when someone last looked there."""

    source: Sources
    sources: Mapping[str, Sources] = {}
    """Field → source, where it differs from `source`."""
    checked: date

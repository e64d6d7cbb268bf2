"""knowledge/lang/<code>/faq/*.md → entries, or every fault at once."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

import knowledge
from knowledge.faults import Fault, KnowledgeFaults

LANG = Path(knowledge.__file__).parent / "lang"
FENCE = "---\n"

Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=40)]
Claim = Annotated[str, StringConstraints(pattern=r"^S\d\d$")]


class Entry(BaseModel):
    """One question and its answer in one language."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Id
    title: Annotated[str, StringConstraints(min_length=2, max_length=40)]
    """What a button says."""
    claims: tuple[Claim, ...] = ()
    """Ids of the base document's claims that the text states or reconciles."""
    asks: Annotated[tuple[str, ...], Field(min_length=2, max_length=24)]
    related: Annotated[tuple[Id, ...], Field(max_length=5)] = ()
    updated: str
    text: Annotated[str, StringConstraints(min_length=40, max_length=1200)]
    """Markdown; `{{ price(card, kind) }}` is the only thing that is filled in."""


def parse(name: str, source: str) -> Entry:
    """One file. Raises ValueError (pydantic's ValidationError included) or yaml.YAMLError."""
    if not source.startswith(FENCE) or FENCE not in source[len(FENCE) :]:
        raise ValueError("should start with front matter between two lines '---'")
    head, text = source[len(FENCE) :].split(FENCE, 1)
    values: Any = yaml.load(head, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # noqa: S506  texts only
    if not isinstance(values, dict):
        raise ValueError("the front matter should be lines 'field: value'")
    entry = Entry.model_validate({**values, "text": text.strip()})
    if f"{entry.id}.md" != name:
        raise ValueError(f"the file should be called {entry.id}.md, after its id")
    return entry


@lru_cache(maxsize=16)
def entries_of(language: str) -> Mapping[str, Entry]:
    """All entries of a language by id; empty when the language has none. Raises KnowledgeFaults with every fault."""
    found: dict[str, Entry] = {}
    faults: list[Fault] = []
    for path in sorted((LANG / language / "faq").glob("*.md")):
        try:
            found[path.stem] = parse(path.name, path.read_text("utf-8"))
        except ValidationError as error:
            faults += [
                Fault(f"lang/{language}/faq/{path.name}", path.stem, ".".join(map(str, detail["loc"])), detail["msg"])
                for detail in error.errors(include_url=False, include_context=False, include_input=False)
            ]
        except (ValueError, yaml.YAMLError) as error:
            faults.append(Fault(f"lang/{language}/faq/{path.name}", path.stem, "", str(error)))
    faults += [
        Fault(f"lang/{language}/faq/{key}.md", key, "related", f"no entry is called '{other}'")
        for key, entry in found.items()
        for other in entry.related
        if other not in found and not faults
    ]
    if faults:
        raise KnowledgeFaults(faults)
    return MappingProxyType(found)

"""knowledge/lang/<code>/faq/*.md → entries, or every fault at once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

import knowledge
from advisor.query import Kind
from knowledge import compiled
from knowledge.faults import Fault, KnowledgeFaults

LANG = Path(knowledge.__file__).parent / "lang"
FENCE = "---\n"

Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=40)]
LONGEST = 900
"""Letters of an answer."""
Claim = Annotated[str, StringConstraints(pattern=r"^S\d\d$")]


class Reach(StrEnum):
    """How far a page answers who also tells a case of their own."""

    ALONE = "alone"
    """Only who tells none."""
    ANY_MODEL = "any_model"
    """The answer is the same for every model."""
    SETTING = "setting"
    """So it is, but who compares trainers only mentions it."""
    ANY_CASE = "any_case"
    """It is meant whatever else is named: no topic knows an answer."""
    FIGURES = "figures"
    """For a named model, figures of it are the answer."""
    TOPIC = "topic"
    """A topic answers better, with figures."""
    CARD = "card"
    """So it does, but whether this card is worth its price is answered in words."""
    MAKER = "maker"
    """A topic knows whether a named trainer runs on this maker's cards."""


class Page(BaseModel):
    """What one file must hold."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Id
    title: Annotated[str, StringConstraints(min_length=2, max_length=40)]
    """What a button says."""
    claims: tuple[Claim, ...] = ()
    """Ids of the base document's claims that the text states or reconciles."""
    asks: Annotated[tuple[str, ...], Field(min_length=2, max_length=24)]
    related: Annotated[tuple[Id, ...], Field(max_length=5)] = ()
    reach: Reach = Reach.ALONE
    continues: Id | None = None
    """The page whose text follows without its first paragraph, as far as it fits."""
    beside: tuple[Kind, ...] = ()
    """Kinds of question beside which it answers what is asked in words, where no model is named."""
    updated: str
    text: Annotated[str, StringConstraints(min_length=40, max_length=1200)]
    """Markdown; `{{ price(card, kind) }}` is the only thing that is filled in."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One question in one language, as a Page describes it, but for what is looked at once (`asks_of`) or seldom.

    Its text is read from the file when it is asked for.
    """

    id: str
    title: str
    claims: tuple[str, ...]
    related: tuple[str, ...]
    reach: Reach
    beside: tuple[Kind, ...]
    continues: str | None
    language: str

    @property
    def text(self) -> str:
        """Markdown; with what follows from the page that it continues, as far as that fits."""
        text = _text(self.language, self.id)
        for paragraph in _text(self.language, self.continues).split("\n\n")[1:] if self.continues else ():
            if len(text) + len(paragraph) + 2 > LONGEST:
                break
            text += "\n\n" + paragraph
        return text


def _text(language: str, name: str) -> str:
    """What stands below the front matter of a file that was checked."""
    return _parts((LANG / language / "faq" / f"{name}.md").read_text(encoding="utf-8"))[1]


def _parts(source: str) -> tuple[str, str]:
    """Front matter and text of a file."""
    head, text = source[len(FENCE) :].split(FENCE, 1)
    return head, text.strip()


def parse(name: str, source: str) -> dict[str, Any]:
    """The fields of one file. Raises ValueError with what to mend."""
    if not source.startswith(FENCE) or FENCE not in source[len(FENCE) :]:
        raise ValueError("should start with front matter between two lines '---'")
    head, text = _parts(source)
    values = compiled.parse([(name, head.encode())], texts=True)[name]
    if not isinstance(values, dict):
        raise ValueError("the front matter should be lines 'field: value'")
    if f"{values.get('id')}.md" != name.rsplit("/", 1)[-1]:
        raise ValueError(f"the id should be the file's name, and the file is called {name}")
    return {**values, "text": text}


def read(sources: Iterable[tuple[str, bytes]]) -> compiled.Tree:
    """Parse and check all files of a language; texts stay where they are. Raises KnowledgeFaults with every fault."""
    tree: compiled.Tree = {}
    faults: list[Fault] = []
    for name, content in sources:
        try:
            tree[name] = parse(name, content.decode("utf-8"))
            Page.model_validate(tree[name])
        except ValidationError as error:
            faults += [
                Fault(name, tree[name]["id"], ".".join(map(str, detail["loc"])), detail["msg"])
                for detail in error.errors(include_url=False, include_context=False, include_input=False)
            ]
        except KnowledgeFaults as error:
            faults += error.faults
        except ValueError as error:
            faults.append(Fault(name, "", "", str(error)))
    known = {Path(name).stem for name in tree}
    faults += [
        Fault(name, Path(name).stem, "related", f"no entry is called '{other}'")
        for name, values in tree.items()
        for other in values.get("related", ())
        if other not in known and not faults
    ]
    faults += [
        Fault(name, Path(name).stem, "continues", f"no entry that stands alone is called '{values['continues']}'")
        for name, values in tree.items()
        if values.get("continues") and not faults and values["continues"] not in _standing_alone(tree)
    ]
    if faults:
        raise KnowledgeFaults(faults)
    return {name: {field: value for field, value in values.items() if field != "text"} for name, values in tree.items()}


def _standing_alone(tree: compiled.Tree) -> set[str]:
    return {Path(name).stem for name, values in tree.items() if not values.get("continues")}


@lru_cache(maxsize=16)
def entries_of(language: str) -> Mapping[str, Entry]:
    """All entries of a language by id; empty when the language has none. Raises KnowledgeFaults with every fault."""
    pages = _pages(language)
    return MappingProxyType({name: _entry(values, pages, language) for name, values in pages.items()})


def asks_of(language: str) -> Mapping[str, Sequence[str]]:
    """What every entry of a language is asked with, by id; read anew at each call."""
    return {name: values["asks"] for name, values in _pages(language).items()}


def _pages(language: str) -> Mapping[str, Mapping[str, Any]]:
    """The fields of all pages by id."""
    if not (LANG / language / "faq").is_dir():
        return {}
    tree = compiled.load_yaml_tree(LANG / language, "faq/*.md", read=read)
    return {values["id"]: values for values in tree.values()}


def _entry(values: Mapping[str, Any], pages: Mapping[str, Mapping[str, Any]], language: str) -> Entry:
    """An entry; what leads on from the page that it continues and how far that reaches is its own too, unless told."""
    continues = values.get("continues")
    inherited: Mapping[str, Any] = {}
    if continues is not None:
        other = pages[continues]
        related = [key for key in (continues, *other.get("related", ())) if key != values["id"]][:5]
        inherited = {"related": related, "reach": other.get("reach"), "beside": other.get("beside", ())}
    said = {**inherited, **values}
    return Entry(
        id=values["id"],
        title=values["title"],
        claims=tuple(values.get("claims", ())),
        related=tuple(said.get("related", ())),
        reach=Reach(said.get("reach") or Reach.ALONE),
        beside=tuple(map(Kind, said.get("beside", ()))),
        continues=continues,
        language=language,
    )

"""facts/ → Catalog, or every fault at once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import ValidationError

from knowledge import compiled
from knowledge.entry import Entry
from knowledge.faults import Fault, KnowledgeFaults
from knowledge.ranking import Rank, Tier
from knowledge.schemas import (
    Ambiguous,
    Capability,
    Dataset,
    Gpu,
    Instance,
    Machine,
    Model,
    Price,
    SourceText,
    Trainer,
)

FACTS = Path(__file__).parent / "facts"

E = TypeVar("E", bound=Entry)
GIVEN: set[str] = set()
"""Which fields were given: nobody asks, and a set for each entry takes more room than the entry."""


@dataclass(frozen=True, eq=False)
class Catalog:
    """All facts, by id. Raw files that have a schema of their own elsewhere stand in `raw`.

    A catalog equals only itself, so that caches can take it as a key.
    """

    gpus: Mapping[str, Gpu]
    models: Mapping[str, Model]
    trainers: Mapping[str, Trainer]
    prices: Mapping[str, tuple[Price, ...]]
    ambiguities: tuple[Ambiguous, ...]
    tiers: tuple[Tier, ...]
    ranking: tuple[Rank, ...]
    instances: Mapping[str, Instance]
    machines: Mapping[str, Machine]
    datasets: Mapping[str, Dataset]
    capabilities: Mapping[str, Capability]
    sources: Mapping[str, SourceText]
    raw: Mapping[str, Any]

    def prices_of(self, gpu_id: str) -> tuple[Price, ...]:
        """Prices of a card, the newest first; empty when none is known."""
        return self.prices.get(gpu_id, ())

    @cached_property
    def ambiguous(self) -> Mapping[str, Ambiguous]:
        """Ambiguous aliases of all catalogs by alias; where two catalogs share one, the first in the file wins."""
        return MappingProxyType({entry.alias: entry for entry in reversed(self.ambiguities)})

    @cached_property
    def by_sibling(self) -> Mapping[str, Model]:
        """Hub id in lower case → model, siblings included."""
        index = {sibling.lower(): model for model in self.models.values() for sibling in model.siblings}
        return MappingProxyType(index | {model.id.lower(): model for model in self.models.values()})

    @property
    def coefficients(self) -> Any:
        """The content of coefficients.yaml: what was fitted on measured runs. None without the file."""
        return self.raw.get("coefficients.yaml")


@lru_cache(maxsize=4)
def load_catalog(folder: Path = FACTS) -> Catalog:
    """Read the facts, from the compiled form when it is up to date. Raises KnowledgeFaults."""
    return build(_shared(compiled.load_yaml_tree(folder, verify=_verify), {}))


def _shared(value: Any, known: dict[str, str]) -> Any:
    """The same tree, in which texts that are the same (dates, families, licences) are one."""
    if isinstance(value, str):
        return known.setdefault(value, value)
    if isinstance(value, dict):
        for key, inner in value.items():
            value[key] = _shared(inner, known)
    elif isinstance(value, list):
        value[:] = [_shared(inner, known) for inner in value]
    return value


def _verify(tree: compiled.Tree) -> None:
    from knowledge.check import facts_faults

    if faults := facts_faults(tree):
        raise KnowledgeFaults(faults)


def build(tree: compiled.Tree) -> Catalog:
    """Validate a tree of files. Raises KnowledgeFaults with every schema fault."""
    catalog, faults = collect(tree)
    if faults:
        raise KnowledgeFaults(faults)
    return catalog


def collect(tree: compiled.Tree) -> tuple[Catalog, list[Fault]]:
    """Validate a tree of files: the catalog of what is sound, and the faults of the rest."""
    reader = _Reader(tree)
    capabilities = reader.entries("capabilities.yaml", Capability)
    prices = reader.prices()
    catalog = Catalog(
        gpus=reader.families("gpus", Gpu, _supports(capabilities)),
        models=reader.families("models", Model, {}),
        trainers=reader.entries("trainers.yaml", Trainer),
        prices=prices,
        ambiguities=reader.ambiguous(),
        tiers=tuple(reader.entries("tiers.yaml", Tier).values()),
        ranking=tuple(sorted(reader.entries("ranking.yaml", Rank).values(), key=lambda rank: rank.place)),
        instances=reader.entries("instances.yaml", Instance),
        machines=reader.entries("machines.yaml", Machine),
        datasets=reader.entries("datasets.yaml", Dataset),
        capabilities=capabilities,
        sources=reader.entries("sources.yaml", SourceText),
        raw=MappingProxyType({name: content for name, content in tree.items() if name not in reader.read}),
    )
    return catalog, reader.faults


def _supports(capabilities: Mapping[str, Capability]) -> Mapping[str, Any]:
    return {key: capability.supports for key, capability in capabilities.items()}


class _Reader:
    """Turns files of a tree into entries and gathers the faults on the way."""

    def __init__(self, tree: compiled.Tree) -> None:
        self.tree = tree
        self.faults: list[Fault] = []
        self.read: set[str] = set()

    def entries(self, file: str, schema: type[E]) -> Mapping[str, E]:
        """A file of id → entry; an absent file is an empty one."""
        found: dict[str, E] = {}
        for key, values in self._items(file, self._content(file)):
            entry = self._validate(schema, file, key, {"id": key, **values} if "id" in schema.model_fields else values)
            if entry is not None:
                found[key] = entry
        return MappingProxyType(found)

    def families(self, folder: str, schema: type[E], supports: Mapping[str, Any]) -> Mapping[str, E]:
        """A folder (or one file) of family → id → entry."""
        found: dict[str, E] = {}
        for file in [name for name in self.tree if name.startswith(f"{folder}/") or name == f"{folder}.yaml"]:
            for family, members in self._items(file, self._content(file)):
                for key, values in self._items(file, members, f"{family}/"):
                    values = {"id": key, "family": family, **values}
                    if (common := supports.get(str(values.get("compute_capability")))) is not None:
                        values.setdefault("supports", common)
                    if key in found:
                        self.faults.append(Fault(file, key, "id", "stands in another file too; keep one of the two"))
                    entry = self._validate(schema, file, key, values)
                    if entry is not None:
                        found[key] = entry
        return MappingProxyType(found)

    def prices(self) -> Mapping[str, tuple[Price, ...]]:
        """prices.yaml: card → list of prices, the newest first."""
        file, found = "prices.yaml", {}
        for gpu, rows in self._pairs(file, self._content(file)):
            if not isinstance(rows, list):
                self.faults.append(Fault(file, gpu, "", "should be a list of prices, each on a line with '- '"))
                continue
            prices = [self._price(file, gpu, place, row) for place, row in enumerate(rows, 1)]
            found[gpu] = tuple(sorted(filter(None, prices), key=lambda price: price.date, reverse=True))
        return MappingProxyType(found)

    def _price(self, file: str, gpu: str, place: int, row: object) -> Price | None:
        name = f"{gpu} (price {place})"
        if not isinstance(row, dict):
            self.faults.append(Fault(file, name, "", "should be {kind: ..., price: ..., date: ..., source: ...}"))
            return None
        return self._validate(Price, file, name, {"gpu": gpu, **row})

    def ambiguous(self) -> tuple[Ambiguous, ...]:
        """ambiguous.yaml: catalog → alias → entry."""
        file = "ambiguous.yaml"
        found = [
            self._validate(Ambiguous, file, alias, {"catalog": catalog, "alias": alias, **values})
            for catalog, aliases in self._items(file, self._content(file))
            for alias, values in self._items(file, aliases, f"{catalog}/")
        ]
        return tuple(filter(None, found))

    def _content(self, file: str) -> object:
        self.read.add(file)
        return self.tree.get(file)

    def _pairs(self, file: str, content: object, inside: str = "") -> Iterator[tuple[str, Any]]:
        if content is None:
            return
        if not isinstance(content, dict):
            self.faults.append(Fault(file, inside.rstrip("/"), "", "should be a mapping 'id: entry'"))
            return
        yield from ((str(key), value) for key, value in content.items())

    def _items(self, file: str, content: object, inside: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
        for key, values in self._pairs(file, content, inside):
            if isinstance(values, dict):
                yield key, values
            else:
                self.faults.append(Fault(file, inside + key, "", "should be a mapping 'field: value'"))

    def _validate(self, schema: type[E], file: str, entry: str, values: Mapping[str, Any]) -> E | None:
        try:
            made = schema.model_validate(values)
            object.__setattr__(made, "__pydantic_fields_set__", GIVEN)
            return made
        except ValidationError as error:
            for detail in error.errors(include_url=False, include_context=False, include_input=False):
                field = ".".join(str(part) for part in detail["loc"])
                self.faults.append(Fault(file, entry, field, _mend(detail["type"], detail["msg"], schema)))
            return None


def _mend(kind: str, message: str, schema: type[Entry]) -> str:
    """The message, and what to do where it does not say so itself."""
    if kind == "extra_forbidden":
        return f"no such field; there are: {', '.join(sorted([*schema.groups, *schema.model_fields]))}"
    return message.removeprefix("Value error, ")

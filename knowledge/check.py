"""Finds every fault of the knowledge at once: what the schema cannot see, across entries and across files."""

from collections.abc import Iterator, Mapping

from knowledge import compiled
from knowledge.catalog import Catalog, collect
from knowledge.entry import Entry, Sourced
from knowledge.faults import Fault
from knowledge.names import name_tokens

TOLERANCE = 0.005
"""How far a count from the shape may be from the published one."""
FITTED = frozenset({"coefficients.yaml", "speed.yaml"})
"""Files of fitted numbers, read by the estimator with schemas of its own."""


def facts_faults(tree: compiled.Tree) -> list[Fault]:
    """Every fault of a facts tree: schema, references, counts, names, sources."""
    catalog, faults = collect(tree)
    places = Places(tree)
    faults += unread(catalog)
    faults += references(catalog, places)
    faults += counts(catalog, places)
    faults += names(catalog, places)
    faults += citations(catalog, places)
    return faults


def unread(catalog: Catalog) -> Iterator[Fault]:
    """Files that nobody reads: a slip in the name would otherwise make their entries vanish."""
    for file in catalog.raw.keys() - FITTED:
        yield Fault(file, "", "", "nothing reads a file of this name; rename it, or put it into gpus/ or models/")


class Places:
    """In which file an entry stands."""

    def __init__(self, tree: compiled.Tree) -> None:
        self._files: dict[tuple[str, str], str] = {}
        for file, content in tree.items():
            kind = file.removesuffix(".yaml").split("/")[0]
            if not isinstance(content, dict):
                continue
            for key, values in content.items():
                self._files.setdefault((kind, str(key)), file)
                if kind in ("gpus", "models") and isinstance(values, dict):
                    self._files.update({(kind, str(inner)): file for inner in values})

    def file(self, kind: str, entry: str) -> str:
        """The file of an entry; the plain name of its kind when it stands nowhere."""
        return self._files.get((kind, entry), f"{kind}.yaml")

    def hold(self, kind: str, entry: str) -> bool:
        """Whether an entry of this id stands anywhere, sound or not."""
        return (kind, entry) in self._files


def references(catalog: Catalog, places: Places) -> Iterator[Fault]:
    """Ids that are named but do not exist."""
    named = [("prices.yaml", gpu, "", gpu) for gpu in catalog.prices]
    named += [("instances.yaml", instance.id, "gpu", instance.gpu) for instance in catalog.instances.values()]
    named += [("ranking.yaml", rank.id, "gpus", gpu) for rank in catalog.ranking for gpu in rank.gpus]
    for file, entry, field, gpu in named:
        if not places.hold("gpus", gpu):
            yield Fault(file, entry, field, f"{gpu}: no card of this id in gpus/; add it there or mend the id")
    for ambiguous in catalog.ambiguities:
        for candidate in ambiguous.candidates:
            if not places.hold(ambiguous.catalog, candidate):
                what = f"{candidate}: no such id in {ambiguous.catalog}; add it there or mend the id"
                yield Fault("ambiguous.yaml", ambiguous.alias, "candidates", what)
        if ambiguous.default is not None and ambiguous.default not in ambiguous.candidates:
            yield Fault("ambiguous.yaml", ambiguous.alias, "default", f"{ambiguous.default}: not one of the candidates")
    for card in catalog.gpus.values():
        if not places.hold("capabilities", card.compute_capability):
            what = f"{card.compute_capability}: not in capabilities.yaml; add the generation there"
            yield Fault(places.file("gpus", card.id), card.id, "compute_capability", what)


def counts(catalog: Catalog, places: Places) -> Iterator[Fault]:
    """Shapes that cannot be counted, or whose count is not the published one."""
    for model in catalog.models.values():
        file = places.file("models", model.id)
        try:
            total = model.params_total
        except ValueError as error:
            field, _, what = str(error).partition(": ")
            yield Fault(file, model.id, field, f"{what}; see knowledge/parameters/")
            continue
        published = model.params_published
        if published and abs(total - published) > TOLERANCE * published:
            off = f"{total:,} from the shape, {published:,} published ({total / published - 1:+.1%})"
            yield Fault(
                file, model.id, "params_published", f"{off}; mend the shape, or say in published_note what differs"
            )
        if model.moe and model.moe.active > model.moe.experts:
            yield Fault(file, model.id, "moe.active", "more than there are experts")
        if model.heads % model.kv_heads:
            yield Fault(
                file, model.id, "kv_heads", f"{model.heads} heads cannot share {model.kv_heads}; mend one of the two"
            )


def names(catalog: Catalog, places: Places) -> Iterator[Fault]:
    """Names of one kind that mean two entries. They are compared as tokens: "qwen 2 7b" is not "qwen 27b"."""
    kinds: tuple[tuple[str, Mapping[str, Entry]], ...] = (
        ("gpus", catalog.gpus),
        ("models", catalog.models),
        ("trainers", catalog.trainers),
        ("instances", catalog.instances),
        ("datasets", catalog.datasets),
    )
    for kind, entries in kinds:
        undecided: set[tuple[str, ...]] = set()
        for ambiguous in (entry for entry in catalog.ambiguities if entry.catalog == kind):
            words = name_tokens(ambiguous.alias)
            if words in undecided:
                yield Fault("ambiguous.yaml", ambiguous.alias, "", "the same name stands twice; keep one")
            undecided.add(words)
        owner: dict[tuple[str, ...], str] = {}
        for entry_id in entries:
            owner.setdefault(name_tokens(entry_id), entry_id)
        for entry_id, entry in entries.items():
            for field, name in _names(entry_id, entry):
                what = _clash(name, field, entry_id, owner, undecided)
                if what:
                    yield Fault(places.file(kind, entry_id), entry_id, field, what)


def _clash(
    name: str, field: str, entry_id: str, owner: dict[tuple[str, ...], str], undecided: set[tuple[str, ...]]
) -> str | None:
    words = name_tokens(name)
    if not words:
        return f"{name!r} has neither letters nor digits; drop it"
    if words in undecided:
        return f"{name!r} is in ambiguous.yaml; keep it in one of the two places" if field == "aliases" else None
    other = owner.setdefault(words, entry_id)
    if other == entry_id:
        return None
    return f"{name!r} already means {other}; drop it here, or move it to ambiguous.yaml with both as candidates"


def _names(entry_id: str, entry: Entry) -> Iterator[tuple[str, str]]:
    """What people call an entry: its id (with and without the owner), name, aliases and siblings."""
    yield "id", entry_id
    if "/" in entry_id:
        yield "id", entry_id.rsplit("/", 1)[-1]
    yield from (("aliases", name) for name in getattr(entry, "aliases", ()))
    for sibling in getattr(entry, "siblings", ()):
        yield "siblings", sibling
        yield "siblings", sibling.rsplit("/", 1)[-1]
    if name := getattr(entry, "name", None):
        yield "name", name


def citations(catalog: Catalog, places: Places) -> Iterator[Fault]:
    """Sources that are neither a key of sources.yaml nor tell a place, and sources of fields that do not exist."""
    kinds: tuple[tuple[str, Mapping[str, Sourced]], ...] = (
        ("gpus", catalog.gpus),
        ("models", catalog.models),
        ("trainers", catalog.trainers),
        ("tiers", {tier.id: tier for tier in catalog.tiers}),
        ("ranking", {rank.id: rank for rank in catalog.ranking}),
        ("instances", catalog.instances),
        ("machines", catalog.machines),
        ("datasets", catalog.datasets),
        ("capabilities", catalog.capabilities),
    )
    for kind, entries in kinds:
        for entry_id, entry in entries.items():
            file = places.file(kind, entry_id)
            cited = [("source", text) for text in entry.source]
            cited += [(f"sources.{field}", text) for field, texts in entry.sources.items() for text in texts]
            yield from (
                Fault(file, entry_id, field, what) for field, text in cited if (what := _uncited(text, catalog))
            )
            fields = {*type(entry).model_fields, *type(entry).groups}
            for field in entry.sources.keys() - fields:
                yield Fault(file, entry_id, f"sources.{field}", "no such field; name a field of the entry")
    for gpu, prices in catalog.prices.items():
        for price in prices:
            for text in price.source:
                if what := _uncited(text, catalog):
                    yield Fault("prices.yaml", gpu, "source", what)


def _uncited(text: str, catalog: Catalog) -> str | None:
    """A key of sources.yaml (with a place after a colon), an address, or words that name a document."""
    key, colon, place = text.partition(": ")
    if key in catalog.sources or "/" in text or (" " in text.strip() and not colon) or (" " in key and place):
        return None
    return (
        f"{text!r} is neither a key of sources.yaml nor a web address nor a document; add the key or give the address"
    )

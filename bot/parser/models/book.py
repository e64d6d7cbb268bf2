"""The catalog's models by the words of their names, and which row a name means."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from math import log
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple

from bot.parser.models.name import Name, read_name
from bot.parser.words import words
from knowledge.catalog import load_catalog
from knowledge.kept import kept
from knowledge.language import shared_names
from knowledge.names import NameIndex, Names, Trie, following, name_tokens, split

CLOSE = 0.13
"""Two sizes closer than this share are the same size: 7B is 6.74B, 8B is 8.03B, 30B is 32.5B."""
SHARE_OF_EXPERTS = 0.84
"""Mixtral 8x7B has 46.7B: the experts share attention and embeddings."""
IN_MILLIONS = (0.07, 0.125, 0.135, 0.16, 0.27, 0.35, 0.36, 0.41, 0.56, 0.7)
"""Sizes in billions that names write in millions."""
SAME_ACTIVE = 0.2
KINDS = frozenset({"instruct", "chat", "it", "hf", "base"})
"""Last words of names that people leave out."""
USUAL_B = 8
WORST = -2.5
"""A row that is less like a name than this is not meant by it."""
OPTIONAL = frozenset({"code", "coder", "math", "llm", "vision"})
"""Words that a name may have beyond the row's: the shape is the base model's."""


class Row(NamedTuple):
    """A catalog model, or a sibling of one, as a name."""

    id: str
    name: Name
    params_b: float
    order: int


@dataclass(slots=True)
class Models:
    """All that is looked up while models are read."""

    index: Names
    rows: Mapping[str, list[Row]]
    """First word of a name → rows."""
    plain: frozenset[str]
    variants: frozenset[str]
    """Words that names of every family may have."""
    ambiguous: Mapping[tuple[str, ...], Any]
    shapes: Mapping[float, str]
    """Bare size in billions → the common shape."""
    mixtures: Mapping[tuple[float, float], str]
    """Size and active size in billions → the first model of that name."""
    params: Mapping[str, float]
    trainers: Trie
    """Names that begin like a model's and are a trainer's, or nothing of ours."""
    starts: Mapping[str, frozenset[str] | None]
    """First token of a name → tokens of which one must follow it to be one; None where it may stand alone."""
    families: tuple[str, ...]
    """First words of names, long enough to be recognised when mistyped."""
    _known: dict[str, frozenset[str]] = field(default_factory=dict)

    def known(self, family: str) -> frozenset[str]:
        """Words that names of a family have; none where there is no such family. Few of them are ever asked about."""
        found = self._known.get(family)
        if found is None:
            rows = self.rows.get(family)
            if rows is None:
                return frozenset()
            found = self._known[family] = self.variants.union(*(row.name.words for row in rows))
        return found


@cache
def models() -> Models:
    """Built once from the catalog."""
    catalog = load_catalog()
    shared = shared_names()
    plain, variants = (frozenset(shared["model_words"][kind]) for kind in ("plain", "variant"))
    names = kept("models", lambda: _tables(catalog, plain), by=Path(__file__).parents[1])
    index, params = Names(names["index"]), names["params"]
    rows = _shared(names["rows"], {hub_id: hub_id for hub_id in params})
    trainers = Trie()
    for names in [*shared["values"]["trainer"].values(), shared["model_words"]["no_models"]]:
        for written in names:
            trainers.add(name_tokens(written), written)
    return Models(
        index=index,
        rows=rows,
        plain=plain,
        variants=variants,
        ambiguous={name_tokens(entry.alias): entry for entry in catalog.ambiguities if entry.catalog == "models"},
        shapes={float(size): hub_id for size, hub_id in shared["shapes"].items() if hub_id in params},
        mixtures=_mixtures(rows),
        params=params,
        trainers=trainers,
        starts=_starts(index.trie.root, trainers.root) | dict.fromkeys(word for word in rows if not word[0].isdigit()),
        families=tuple(word for word in rows if len(word) >= 4 and word.isalpha()),
    )


def _starts(names: Mapping[str, Any], trainers: Mapping[str, Any]) -> dict[str, frozenset[str] | None]:
    """What names begin with. A figure alone is no name, and a trainer of one word hides none."""
    found: dict[str, frozenset[str] | None] = {}
    for word in names.keys() | trainers.keys():
        name, trainer = following(names.get(word, {})), following(trainers.get(word, {}))
        alone = "" in name and not word[0].isdigit()
        found[word] = None if alone else (name | trainer) - {""}
    return found


def _tables(catalog: Any, plain: frozenset[str]) -> dict[str, Any]:
    """What takes long to build, as plain values."""
    index, params = _index(catalog)
    rows = {
        first: [(row.id, row.params_b, row.order, *_fields_of(row.name)) for row in found]
        for first, found in _rows(catalog, plain).items()
    }
    return {"index": index.as_plain(), "params": params, "rows": rows}


def _fields_of(name: Name) -> tuple[Any, ...]:
    """The fields of a name, its words as a list."""
    words, *others = (getattr(name, field.name) for field in fields(name))
    return (sorted(words), *others)


def _shared(plain: Mapping[str, Any], ids: Mapping[str, str]) -> dict[str, list[Row]]:
    """The rows from plain values. What is the same in many of them, their words above all, is there once."""
    sets: dict[str, set[str]] = {}

    def row(hub_id: str, params_b: float, order: int, words: list[str], *others: Any) -> Row:
        shared = sets.setdefault(" ".join(words), set(words))
        said: Iterable[Any] = (intern(value) if isinstance(value, str) else value for value in others)
        return Row(ids.get(hub_id, hub_id), Name(shared, *said), params_b, order)

    return {first: [row(*values) for values in rows] for first, rows in plain.items()}


def _siblings(model: Any) -> list[str]:
    """Hub ids that share a model's shape; a remark in brackets is left out."""
    return [sibling.split(" ")[0] for sibling in model.siblings]


def _first_word(hub_id: str) -> str:
    return name_tokens(hub_id.split("/")[-1])[0]


def _index(catalog: Any) -> tuple[NameIndex, dict[str, float]]:
    """Every written name → hub id (short names, ids, siblings, aliases, in this order), and the sizes in billions."""
    index = NameIndex()
    found = {model.id: model for model in catalog.models.values()}
    params = {hub_id: model.params_total / 1e9 for hub_id, model in found.items()}
    siblings = [(model, sibling) for model in found.values() for sibling in _siblings(model)]
    known = found.keys() | {sibling for _, sibling in siblings}
    for hub_id, names in shared_names()["nicknames"].items():
        if hub_id in known:
            index.add(hub_id, names)
    for hub_id in found:
        index.add(hub_id, (hub_id.split("/")[-1], hub_id))
    for model, sibling in siblings:
        params.setdefault(sibling, params[model.id])
        if set(name_tokens(sibling.split("/")[-1])) & OPTIONAL - set(name_tokens(model.id)):
            index.add(sibling, (sibling.split("/")[-1], sibling))  # a coder is asked for by that name
    for model, sibling in siblings:
        if _first_word(sibling) != _first_word(model.id):  # BLOOMZ is asked for by its name, not as BLOOM
            index.add(sibling, (sibling.split("/")[-1], sibling))
    for model in found.values():
        index.add(model.id, model.aliases)
    for _, sibling in siblings:
        index.add(sibling, (sibling.split("/")[-1], sibling))
    for hub_id in params:
        base, _, kind = hub_id.split("/")[-1].rpartition("-")
        if base[-1:] in ("k", "K") and base[-2:-1].isdigit() and kind.lower() in KINDS:
            index.add(hub_id, (base,))  # "phi-3-medium-128k"
    for entry in catalog.ambiguities:
        if entry.catalog == "models" and not entry.alias[0].isdigit():
            index.add(entry.default or entry.candidates[0], (entry.alias,))
    return index, params


def _rows(catalog: Any, plain: frozenset[str]) -> dict[str, list[Row]]:
    rows: dict[str, list[Row]] = defaultdict(list)
    for order, model in enumerate(catalog.models.values()):
        own = [(hub_id, hub_id) for hub_id in (model.id, *_siblings(model))]
        spelled: set[tuple[str, ...]] = set()
        seen = set()
        for hub_id, written in [*own, *((model.id, alias) for alias in model.aliases)]:
            base = written.split("/")[-1]
            if name_tokens(base) in spelled:
                continue
            spelled.add(name_tokens(base))
            tokens, gaps = split(base.lower())
            name = read_name(tokens, gaps, 0, plain, frozenset(), whole=True)
            key = (frozenset(name.words), name.version, name.size)
            if name.words and key not in seen and len(tokens[0]) > 1:
                seen.add(key)
                rows[tokens[0]].append(Row(hub_id, name, model.params_total / 1e9, order))
    return dict(rows)


def _mixtures(rows: Mapping[str, list[Row]]) -> dict[tuple[float, float], str]:
    found: dict[tuple[float, float], str] = {}
    for written, hub_id in shared_names()["mixtures"].items():
        size, active = written.split("-a")
        found[float(size[:-1]), float(active[:-1])] = hub_id
    for row in sorted((row for family in rows.values() for row in family), key=lambda row: row.order):
        if row.name.size and row.name.active:
            found.setdefault((row.name.size, row.name.active), row.id)
    return found


def resolve(book: Models, name: Name, family: str) -> tuple[str | None, tuple[str, ...]]:
    """The hub id that a name means, and the others that it could mean."""
    for tokens in _spelled(name, family):
        entry = book.ambiguous.get(tokens)
        if entry is not None and entry.default:
            return entry.default, tuple(entry.candidates)
        exact = book.index.trie.find(tokens, 0)
        if exact is not None and exact[0] == len(tokens):
            return exact[1], ()
    if name.version is None and name.words == {family} and family in words("vague_families"):
        return None, ()  # "gpt 13b"
    scored = [
        (score, row.order, row.id) for row in book.rows.get(family, ()) if (score := _likeness(row, name)) is not None
    ]
    return (max(scored)[2], ()) if scored else (None, ())


def _spelled(name: Name, family: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The name as an alias might be written: family, version, other words, size."""
    version = (name.version,) if name.version else ()
    others = tuple(sorted(name.words - {family}))
    size: tuple[str, ...] = ()
    if name.size is not None:
        if name.experts:
            size = (f"{name.experts:g}", "x", f"{name.size:g}", "b")
        elif name.effective:
            size = (f"e{name.size:g}", "b")
        elif name.size in IN_MILLIONS:
            size = (f"{name.size * 1000:g}", "m")
        else:
            size = (f"{name.size:g}", "b")
    return (family, *version, *others, *size), (family, *others, *version, *size)


def _likeness(row: Row, name: Name) -> float | None:
    """How well a row answers to a name; None when a size, version or word contradicts it."""
    theirs, score = row.name, 0.0
    if name.size:
        behaves = theirs.effective and not name.effective and theirs.size != name.size
        sizes = (row.params_b,) if behaves else (theirs.size, row.params_b)
        off = min(abs(size - name.size) / name.size for size in sizes if size)
        if off > CLOSE:
            return None
        score += 3 - off
    if name.version is None:
        score -= 0.2 if theirs.version is not None else 0.0
    elif theirs.version is None or name.version.lstrip("v") != theirs.version.lstrip("v"):
        return None
    if name.size is None:
        score -= abs(log(row.params_b / USUAL_B)) / 100  # of equals the usual size
    extra = name.words - theirs.words
    if extra - OPTIONAL:
        return None
    score -= 1.2 * len(extra) + 0.6 * len(theirs.words - name.words)
    if name.active is not None and theirs.active is not None:
        score += 1 if abs(name.active - theirs.active) < SAME_ACTIVE else -2
    if name.date is not None and theirs.date == name.date:
        score += 0.5
    return score if score > WORST else None

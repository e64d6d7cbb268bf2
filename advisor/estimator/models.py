"""Which model is meant, and its shape: a raw `arch` wins, then the catalog, then the size."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from advisor.errors import MissingModel, UnknownName
from advisor.estimator.shape import Shape
from advisor.estimator.shapes import RAW_FIELDS, shape_of, shape_of_model, shape_of_size
from advisor.query import SetUp
from knowledge.catalog import Catalog
from knowledge.schemas import Model

SIZE = re.compile(r"(?<![\d.a-z])(\d{1,4}(?:\.\d{1,3})?)\s?([bm])(?![a-z\d])", re.IGNORECASE)
SUFFIX = re.compile(
    r"[-: ](bnb-4bit|q[2-8]_[a-z0-9_]{1,6}|unsloth-bnb-4bit|unsloth|4bit|gptq(-int[48])?|awq|gguf|fp8|hf|instruct|chat"
    r"|it|base|int4|int8|bf16|mlx)$",
    re.IGNORECASE,
)


def find_model(catalog: Catalog, name: str | None) -> Model | None:
    """The catalog entry of a hub id: as it is, without its owner, without what quantisers append to names."""
    if not name:
        return None
    index = catalog.by_sibling
    wanted = name.strip().lower()
    if wanted in index:
        return index[wanted]
    short = _short_names(catalog)
    tail = wanted.rsplit("/", 1)[-1]
    for _ in range(5):
        if tail in short:
            return index[short[tail]]
        cut = SUFFIX.sub("", tail)
        if cut == tail:
            break
        tail = cut
    return _by_letters(catalog, tail)


def _letters(name: str) -> str:
    """Letters, digits and points: how "gpt oss 20b", "gpt-oss-20b" and "gpt-oss:20b" are one name."""
    return "".join(sign for sign in name if sign.isalnum() or sign == ".")


@lru_cache(maxsize=512)
def _by_letters(catalog: Catalog, tail: str) -> Model | None:
    """The model whose name differs in its signs only, or the one family of which the name is the beginning."""
    wanted = _letters(tail[:80])
    if len(wanted) < 4:
        return None
    spelt = _spelt(catalog)
    if wanted in spelt:
        return catalog.by_sibling[spelt[wanted]]
    longer = [name for name in spelt if name.startswith(wanted) and not name[len(wanted)].isdigit()]
    if not any(sign.isdigit() for sign in wanted) or not longer:
        return None
    found = {catalog.by_sibling[spelt[name]].params_total // 10**8 for name in longer}
    return catalog.by_sibling[spelt[min(longer, key=len)]] if len(found) == 1 else None


_SHORT: dict[int, tuple[Catalog, dict[str, str]]] = {}
_SPELT: dict[int, tuple[Catalog, dict[str, str]]] = {}


def _spelt(catalog: Catalog) -> dict[str, str]:
    """Letters of a short name → hub id in lower case; made once per catalog."""
    kept = _SPELT.get(id(catalog))
    if kept is None or kept[0] is not catalog:
        names: dict[str, str] = {}
        for name, hub_id in _short_names(catalog).items():
            names.setdefault(_letters(name), hub_id)
        _SPELT.clear()
        _SPELT[id(catalog)] = kept = (catalog, names)
    return kept[1]


def _short_names(catalog: Catalog) -> dict[str, str]:
    """Model name without its owner → hub id in lower case; made once per catalog."""
    kept = _SHORT.get(id(catalog))
    if kept is None or kept[0] is not catalog:
        names: dict[str, str] = {}
        for hub_id, model in catalog.by_sibling.items():
            names.setdefault(hub_id.rsplit("/", 1)[-1], hub_id)
            for alias in model.aliases:
                names.setdefault(alias.lower(), model.id.lower())
        _SHORT.clear()
        _SHORT[id(catalog)] = kept = (catalog, names)
    return kept[1]


def size_in_name(name: str | None) -> float | None:
    """8.0 from "my-llama-8b", 0.36 from "smol-360M"; the largest one."""
    sizes = [float(number) / (1000 if unit.lower() == "m" else 1) for number, unit in SIZE.findall((name or "")[:200])]
    return max(sizes, default=None)


@lru_cache(maxsize=1024)
def _catalog_shape(model: "_ById") -> Shape:
    return shape_of_model(model.model)


class _ById:
    """A model that hashes by its id, for the cache."""

    __slots__ = ("model",)

    def __init__(self, model: Model) -> None:
        self.model = model

    def __hash__(self) -> int:
        return id(self.model)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ById) and other.model is self.model


def _same_widths(arch: Mapping[str, Any], shape: Shape) -> bool:
    pairs = (
        ("hidden_size", shape.hidden),
        ("layers", shape.layers),
        ("heads", shape.heads),
        ("kv_heads", shape.kv_heads),
        ("intermediate_size", shape.intermediate),
        ("vocab_size", shape.vocab),
        ("tie_embeddings", shape.tied),
    )
    return all(arch.get(key) is None or arch[key] == value for key, value in pairs)


def _from_arch(arch: Mapping[str, Any], model: Model | None) -> Shape:
    if model is None:
        return shape_of(arch)
    shape = _catalog_shape(_ById(model))
    if _same_widths(arch, shape) and arch.get("model_type") in (None, model.arch):
        return shape
    known = {
        name: getattr(model, name)
        for name in RAW_FIELDS
        if name in ("arch", "arch_args") and arch.get("model_type") is None
    }
    return shape_of({**known, **arch})


def shape_for(setup: SetUp, catalog: Catalog) -> tuple[Shape, list[str]]:
    """The shape, and which slots were assumed for it. Raises MissingModel or UnknownName."""
    named = find_model(catalog, setup.model)
    if setup.arch:
        by_id = find_model(catalog, str(setup.arch.get("catalog_id") or "")) or named
        return _from_arch(setup.arch, by_id), []
    if named is not None:
        return _catalog_shape(_ById(named)), []
    size = setup.params_b or size_in_name(setup.model)
    if size:
        return shape_of_size(size), ["arch"]
    if not setup.model:
        raise MissingModel("nothing says how large the model is", "give model (a hub id), params_b or arch")
    from advisor.estimator.names import nearest

    near = nearest(setup.model, _short_names(catalog))
    raise UnknownName(
        f"model: {setup.model[:80]!r} is not in the catalog and its name has no size",
        f"give params_b or arch, or one of the nearest known: {', '.join(near)}",
        field="model",
        asked=setup.model[:80],
        nearest=near,
    )

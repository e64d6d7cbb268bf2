"""The catalog's cards by name, with the rows that share one."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bot.parser.words import words
from knowledge.catalog import load_catalog
from knowledge.kept import kept
from knowledge.language import shared_names
from knowledge.names import NameIndex, Names, Trie, name_tokens

REMARK = re.compile(r" ?\([^()]*\)")
"""A remark in a name: "(modified)" is no card that was sold."""
RELATIVE = "relative:"
"""Marks a card that exists and has no row in the catalog: any/phrases.yaml, `relatives`."""
VRAM_SIZES = frozenset(
    {2, 3, 4, 6, 8, 10, 11, 12, 16, 20, 22, 24, 32, 36, 40, 48, 64, 72, 80, 94, 96, 128, 141, 180, 192}
)
"""GB that cards are sold with: a bare amount of another size is not taken for a card."""
ODD_SIZES = VRAM_SIZES | {9, 14, 44, 45, 46, 47, 50, 79, 256, 288, 384, 512}
"""What people write beside a card's name: what a tool showed them, or what does not exist."""
SAME = 0.06
"""A stated memory this close to the catalog's is the same card."""
LEAST_SHOWN = 0.87
"""A tool shows at least this share of the memory on the box: 44.5 of 48, 14.7 of 16."""


@dataclass(slots=True)
class Shelf:
    """All that is looked up while cards are read."""

    index: Names
    gpus: Mapping[str, Any]
    twins: Mapping[str, tuple[str, ...]]
    """Card → the cards that share its name and differ in memory or form."""
    undecided: Mapping[tuple[str, ...], Any]
    own_names: frozenset[tuple[str, ...]]
    """What the cards themselves say that they are called."""
    laptops: Mapping[str, str]
    instances: Trie
    """Names of rented machines and notebooks → what they hold."""

    def vram_gb(self, gpu_id: str | None) -> float | None:
        """GB on the box of a card, None when there is no such row."""
        gpu = self.gpus.get(gpu_id or "")
        return None if gpu is None else float(gpu.vram_gb)


@cache
def shelf() -> Shelf:
    """Built once from the catalog."""
    catalog = load_catalog()
    gpus = catalog.gpus
    twins: dict[str, list[str]] = defaultdict(list)
    for gpu in gpus.values():
        twins[_common_name(gpu)].append(gpu.id)
    laptops: dict[str, str] = {}
    for gpu in gpus.values():
        if gpu.segment == "laptop":
            for other in twins[_common_name(gpu)]:
                laptops.setdefault(other, gpu.id)
    instances = Trie()
    for instance in catalog.instances.values():
        for written in (instance.id, *instance.aliases):
            instances.add(name_tokens(written), instance)
    return Shelf(
        index=Names(kept("cards", lambda: _index(catalog).as_plain(), by=Path(__file__).parents[1])),
        gpus=gpus,
        twins={gpu_id: tuple(ids) for ids in twins.values() for gpu_id in ids},
        undecided={name_tokens(entry.alias): entry for entry in catalog.ambiguities if entry.catalog == "gpus"},
        own_names=frozenset(name_tokens(alias) for gpu in gpus.values() for alias in gpu.aliases),
        laptops=laptops,
        instances=instances,
    )


def _index(catalog: Any) -> NameIndex:
    """Names with and without their maker's words; the ambiguous ones; cards that have no row."""
    index = NameIndex()
    gpus = catalog.gpus.values()
    for gpu in gpus:
        index.add(gpu.id, (gpu.name, gpu.id, *gpu.aliases))
    for gpu in gpus:
        bare = [t for t in name_tokens(gpu.name) if t not in ("geforce", "tesla", "nvidia", "radeon", "instinct")]
        numbered = [alias for alias in gpu.aliases if alias[:1].isdigit()]
        tesla = gpu.aliases if gpu.segment == "datacenter" else ()
        makers = [f"{maker} {alias}" for maker in ("rtx", "rx", "nvidia rtx") for alias in numbered]
        named = " ".join(bare)
        index.add(gpu.id, (named, *makers, *([f"nvidia {named}"] if gpu.vendor == "nvidia" else ())))
        index.add(gpu.id, [f"nvidia {alias}" for alias in gpu.aliases] + [f"tesla {alias}" for alias in tesla])
    for entry in catalog.ambiguities:
        if entry.catalog == "gpus":
            names = [maker + entry.alias for maker in ("", "rtx ", "nvidia ", "rx ", "tesla ", "geforce ")]
            index.add(entry.default or entry.candidates[0], names)
    for name, relative in shared_names()["relatives"].items():
        index.add(RELATIVE + name, (name, *relative["also"]))
    return index


def _common_name(gpu: Any) -> str:
    """The name without maker, memory size and form: what twins share."""
    tokens = name_tokens(gpu.name)
    kept = []
    for place, word in enumerate(tokens):
        size = place + 1 < len(tokens) and tokens[place + 1] == "gb"
        if word not in words("not_the_name") and not size and not word.startswith(("sxm", "pcie", "nvl")):
            kept.append(word)
    return " ".join(word for word in kept if word != "5" or "rtx" in kept)


def shown_name(gpu: Any) -> str:
    """The catalog's name as people say it: without "GPU", edition and remarks, with Intel's name before its cards."""
    name = REMARK.sub("", str(gpu.name)).removesuffix(" GPU").removesuffix(" Workstation Edition")
    return f"Intel {name}" if gpu.vendor == "intel" and not name.startswith("Intel") else name


def is_that_memory(stated_gb: float, box_gb: float) -> bool:
    """Whether a stated memory is what a card of `box_gb` has or shows."""
    return abs(stated_gb - box_gb) <= SAME * box_gb or LEAST_SHOWN * box_gb <= stated_gb <= box_gb

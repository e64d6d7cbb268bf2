"""Which card a free text means: "NVIDIA A100-SXM4-80GB", "Tesla T4 (14.748 GiB)", "2x RTX 3090 24GB"."""

import re
from functools import lru_cache

from knowledge.catalog import Catalog
from knowledge.schemas import Gpu

LONGEST = 200
_PARENTHESIS = re.compile(r"\([^()]*\)")
_MEMORY = re.compile(r"(?<![a-z\d.])(\d+(?:\.\d+)?)\s*(?:gib|gb|g)\b")
_TOKEN = re.compile(r"[a-z]+|\d+")
_EMPTY = frozenset(
    {"nvidia", "geforce", "tesla", "amd", "intel", "apple", "radeon", "instinct", "gpu", "gpus", "graphics"}
)
_EMPTY |= {
    "x",
    "rtx",
    "gtx",
    "quadro",
    "card",
    "generation",
    "edition",
    "cloud",
    "colab",
    "tensorcore",
    "core",
    "nvidia's",
}
_SAME = {"mobile": "laptop", "notebook": "laptop"}
_EXPORT = re.compile(r"\b([ah])800\b")
"""A800 and H800: A100 and H100 with a slower NVLink, as exported to China."""


def _words(text: str) -> frozenset[str]:
    """Letters and digits apart: {"a", "100", "sxm"}; sxm4 is sxm."""
    text = _EXPORT.sub(r"\g<1>100", re.sub(r"sxm\s?\d", "sxm", text))
    text = re.sub(r"^\s*\d{1,4}\s*[x×*]\s*", "", text)
    return frozenset(_SAME.get(token, token) for token in _TOKEN.findall(text) if token not in _EMPTY)


def _split(text: str) -> tuple[frozenset[str], float | None]:
    text = _PARENTHESIS.sub(
        lambda m: f" {m[0]} " if _MEMORY.search(m[0]) else " ", text[:LONGEST].lower().replace("_", " ")
    )
    memory = _MEMORY.search(text)
    return _words(_MEMORY.sub(" ", text)), float(memory[1]) if memory else None


def _agrees(vram_gb: float, stated: float) -> bool:
    """A stated memory is that of the card, give or take GiB for GB, or the sum over a few of them."""
    cards = max(1, round(stated / vram_gb))
    return cards <= 8 and abs(stated / cards - vram_gb) <= 0.15 * vram_gb


class Cards:
    """The names of a catalog's cards, ready to be looked up. Building takes a few ms; a look-up some µs."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._by_words: dict[frozenset[str], list[Gpu]] = {}
        self._default: dict[frozenset[str], Gpu] = {}
        for gpu in catalog.gpus.values():
            for name in (gpu.id.replace("-", " "), gpu.name, *gpu.aliases):
                self._add(name, gpu)
        for instance in catalog.instances.values():
            for name in (instance.name, *instance.aliases):
                self._add(name, catalog.gpus[instance.gpu])
        for entry in catalog.ambiguities:
            if entry.catalog == "gpus" and entry.default is not None:
                self._default[_split(entry.alias)[0]] = catalog.gpus[entry.default]
        self._find = lru_cache(maxsize=2048)(self._look_up)

    def _add(self, name: str, gpu: Gpu) -> None:
        words, memory = _split(name)
        known = self._by_words.setdefault(words, [])
        if words and gpu not in known:
            known.append(gpu)
        if words and memory is None:
            self._default.setdefault(words, gpu)

    def find(self, text: str | None, n_gpus: int = 1) -> Gpu | None:
        """The card that `text` means: all words of one of its names are in it, the most of all; then memory decides.

        From four cards on, a name that leaves the board open (A100 40GB) means the one with NVLink.
        """
        if not text:
            return None
        gpu = self.catalog.gpus.get(text) or self._find(text[:LONGEST])
        if gpu is not None and n_gpus >= 4 and gpu.id.endswith("-pcie") and "pci" not in text.lower():
            return self.catalog.gpus.get(gpu.id.removesuffix("-pcie") + "-sxm", gpu)
        return gpu

    def _look_up(self, text: str) -> Gpu | None:
        words, memory = _split(text)
        fitting = [known for known in self._by_words if known and known <= words]
        if not fitting:
            return None
        most = max(len(known) for known in fitting)
        best = [known for known in fitting if len(known) == most]
        named = [gpu for known in best for gpu in self._by_words[known]]
        if memory is not None:
            near = min(abs(gpu.vram_gb - memory) for gpu in named)
            named = [gpu for gpu in named if abs(gpu.vram_gb - memory) == near and _agrees(gpu.vram_gb, memory)]
            if not named:
                return None
        default = [self._default[known] for known in best if self._default.get(known) in named]
        return default[0] if default else named[0]


_built: list[Cards] = []


def gpu_of(text: str | None, catalog: Catalog, n_gpus: int = 1) -> Gpu | None:
    """The card of the catalog that a free text means, None when it means none of them."""
    if not _built or _built[0].catalog is not catalog:
        _built[:] = [Cards(catalog)]
    return _built[0].find(text, n_gpus)

"""Names of cards, models and trainers as people write them: compared by tokens, the longest match wins.

"qwen 2 7b" is (qwen, 2, 7, b) and never "qwen 27b"; 3090 inside 13090 is no card. One left-to-right walk over a trie,
so the time is linear in the text. Typos are a separate question (`nearest`), with a guard: a wrong correction is worse
than a question back.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from sys import intern
from typing import Any, NamedTuple

CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_MAKERS = "rtx|gtx|tesla|nvidia|gpu|geforce|quadro|titan|radeon|mi\\d|amd|card|karte|gb|h\\d|a\\d"


def _splitter(digit: str, letters: str) -> re.Pattern[str]:
    return re.compile(
        rf"([a-wyz]{digit}+(?:\.{digit}+)?"  # a100, t4, e2 of e2b, v0.1
        rf"|{digit}+(?:[.,]{digit}+)?(?:[.,]{digit}+)?(?:[.,]{digit}+)?"  # 24, 1.5, 1,500,000
        rf"|x(?<={digit}x)(?=[a-wyz]{digit}|rx{digit}|{_MAKERS})"  # the x of 8xA100 and 2xRTX
        rf"|{letters})"
    )


SPLIT = _splitter(r"\d", rf"[a-zäöüß]+(?![^\W\d_{CJK}])|[^\W\d_{CJK}]+|[{CJK}]")
"""Splits text into gaps and tokens: bounded alternatives only, so there is nothing to backtrack into.

A run of letters is a token, and so is each character of a script without blanks.
"""
SPLIT_ASCII = _splitter("[0-9]", "[a-z]+")
"""The same for text without other letters: twice as fast."""

VERSION = re.compile(r"_(?<=[a-z][a-z]\d_)(?=\d(?![\db]))")
"""The underscore of "internlm2_5-7b"; not that of "qwen2_7b"."""

DEEPEST = 16
"""Tokens of the longest name or phrase that is looked for."""


class Hit(NamedTuple):
    """A name found at tokens[start:end]: what kind of thing, and its id."""

    start: int
    end: int
    kind: str
    id: str


def split(text: str) -> tuple[list[str], list[str]]:
    """Tokens of a lower-cased text and the gaps around them: gaps[i] is before tokens[i], the last one at the end."""
    if "_" in text:
        text = VERSION.sub(".", text)
    parts = (SPLIT_ASCII if text.isascii() else SPLIT).split(text)
    return parts[1::2], parts[0::2]


@lru_cache(maxsize=4096)  # what people write comes by here too
def _cached_tokens(name: str) -> tuple[str, ...]:
    return tuple(map(intern, split(name.lower())[0]))  # the same few words in thousands of names


def name_tokens(name: str) -> tuple[str, ...]:
    """Letters and digits apart, a single letter kept with its digits: "RTX A6000 48GB" → rtx a6000 48 gb."""
    return tuple(split(name.lower())[0]) if len(name) > 80 else _cached_tokens(name)


class Trie:
    """Token sequences → payloads. `find` gives the longest one that starts at a position."""

    __slots__ = ("root",)

    def __init__(self) -> None:
        self.root: dict[str, Any] = {}

    def add(self, tokens: Sequence[str], payload: Any) -> None:
        """The first payload of a sequence stays."""
        node = self.root
        for token in tokens[:DEEPEST]:
            node = node.setdefault(token, {})
        node.setdefault("", payload)

    def find(self, tokens: Sequence[str], at: int) -> tuple[int, Any] | None:
        """(end, payload) of the longest sequence that starts at `at`."""
        node: Any = self.root
        found = None
        for place in range(at, len(tokens)):
            node = node.get(tokens[place])
            if node is None:
                break
            if "" in node:
                found = place + 1, node[""]
        return found


class NameIndex:
    """Everything that the catalog has a name for. Build once from aliases; all lookups are pure."""

    def __init__(self) -> None:
        self.trie = Trie()
        self._spellings: dict[str, dict[str, str]] = {}

    @classmethod
    def of(cls, catalog: Any) -> "NameIndex":
        """From a catalog: ids, names and aliases of its cards, models and trainers."""
        index = cls()
        for kind, entries in (("gpu", catalog.gpus), ("model", catalog.models), ("trainer", catalog.trainers)):
            for entry_id, entry in entries.items():
                index.add(kind, entry_id, (entry_id, *spellings(kind, entry)))
        for entry in catalog.ambiguities:
            index.add(entry.catalog.removesuffix("s"), entry.default or entry.candidates[0], (entry.alias,))
        return index

    def as_plain(self) -> dict[str, Any]:
        """What `of_plain` makes it again from."""
        return {"trie": self.trie.root, "spellings": self._spellings}

    @classmethod
    def of_plain(cls, tables: dict[str, Any]) -> "NameIndex":
        """An index from its tables."""
        index = cls()
        index.trie.root, index._spellings = tables["trie"], tables["spellings"]
        _share_ends(index.trie.root, {})
        return index

    def add(self, kind: str, entry_id: str, names: Iterable[str]) -> None:
        """Names of one entry. A name that already means another entry keeps its meaning."""
        table, meant = self._spellings.setdefault(kind, {}), (kind, entry_id)
        for name in names:
            tokens = name_tokens(name)
            if tokens:
                self.trie.add(tokens, meant)
                table.setdefault(" ".join(tokens), entry_id)

    def find(self, tokens: Sequence[str], at: int) -> Hit | None:
        """The longest name that starts at a token."""
        found = self.trie.find(tokens, at)
        return None if found is None else Hit(at, found[0], *found[1])

    def exact(self, name: str, kind: str) -> str | None:
        """The id that a whole name means, or None."""
        return self._spellings.get(kind, {}).get(" ".join(name_tokens(name)))

    def nearest(self, name: str, n: int = 3, kind: str = "gpu", least: float = 70.0) -> tuple[str, ...]:
        """Ids of the n most similar names of a kind, best first; none that is less similar than `least` (0 to 100)."""
        asked = " ".join(name_tokens(name[:60]))
        if not asked:
            return ()
        table = self._spellings.get(kind, {})
        from rapidfuzz import fuzz, process  # only for what no name matches: loading it takes 30 ms of a start

        close = process.extract(asked, table.keys(), scorer=fuzz.ratio, limit=4 * n, score_cutoff=least)
        ids = dict.fromkeys(table[spelling] for spelling, _, _ in close)
        return tuple(ids)[:n]

    def corrected(self, name: str, kind: str) -> str | None:
        """The one id that a mistyped name must mean; None in doubt: two candidates, or digits that differ."""
        asked = " ".join(name_tokens(name[:60]))
        table = self._spellings.get(kind, {})
        from rapidfuzz import fuzz, process  # only for what no name matches: loading it takes 30 ms of a start

        close = process.extract(asked, table.keys(), scorer=fuzz.ratio, limit=3, score_cutoff=82.0)
        digits = [token for token in asked.split() if token[0].isdigit()]
        sure = {table[s] for s, _, _ in close if [t for t in s.split() if t[0].isdigit()] == digits}
        return sure.pop() if len(sure) == 1 else None


def _share_ends(node: dict[str, Any], ends: dict[tuple[str, str], dict[str, Any]]) -> None:
    """Let all names of an entry that no longer name goes on from have one end: half the room."""
    for token, below in node.items():
        if token and len(below) == 1 and "" in below:
            kind, entry_id = below[""]
            node[token] = ends.setdefault((kind, entry_id), below)
        elif token:
            _share_ends(below, ends)


def spellings(kind: str, entry: Any) -> tuple[str, ...]:
    """Names of an entry besides its id."""
    names: tuple[str, ...] = tuple(entry.aliases)
    if kind == "model":
        return (*names, entry.id.split("/")[-1])
    return (entry.name, *names)

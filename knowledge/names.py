"""Names of cards, models and trainers as people write them: compared by tokens, the longest match wins.

"qwen 2 7b" is (qwen, 2, 7, b) and never "qwen 27b"; 3090 inside 13090 is no card. One left-to-right walk over a trie,
so the time is linear in the text. Typos are a separate question (`nearest`), with a guard: a wrong correction is worse
than a question back.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from sys import intern
from typing import Any

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


def split(text: str) -> tuple[list[str], list[str]]:
    """Tokens of a lower-cased text and the gaps around them: gaps[i] is before tokens[i], the last one at the end."""
    if "_" in text:
        text = VERSION.sub(".", text)
    parts = (SPLIT_ASCII if text.isascii() else SPLIT).split(text)
    return parts[1::2], parts[0::2]


@lru_cache(maxsize=512)  # for the start; what people write comes by here too
def _cached_tokens(name: str) -> tuple[str, ...]:
    return tuple(map(intern, split(name.lower())[0]))  # the same few words in thousands of names


def name_tokens(name: str) -> tuple[str, ...]:
    """Letters and digits apart, a single letter kept with its digits: "RTX A6000 48GB" → rtx a6000 48 gb."""
    if name.isalpha() and name.isascii():
        return (intern(name.lower()),)
    return tuple(split(name.lower())[0]) if len(name) > 80 else _cached_tokens(name)


def below(node: Any, token: str) -> Any:
    """The place that a token leads to from a place in a trie, None where no name goes on like that.

    A place is token → place, under "" the payload; where only one name is left, a tuple of its last tokens and payload.
    """
    if type(node) is tuple:
        return node[1:] if node[0] == token and len(node) > 1 else None
    return node.get(token)


def ends(node: Any) -> bool:
    """Whether a name ends at a place."""
    return len(node) == 1 if type(node) is tuple else "" in node


def payload(node: Any) -> Any:
    """What the name that ends at a place means."""
    return node[0] if type(node) is tuple else node[""]


def following(node: Any) -> frozenset[str]:
    """The tokens with which names go on from a place, "" where one may end."""
    return frozenset(node if type(node) is dict else ("",) if len(node) == 1 else node[:1])


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
            node = node.get(tokens[place]) if type(node) is dict else below(node, tokens[place])
            if node is None:
                break
            if "" in node if type(node) is dict else ends(node):
                found = place + 1, payload(node)
        return found


class NameIndex:
    """The names of one catalog → the entry's id. Build once from aliases; all lookups are pure."""

    def __init__(self) -> None:
        self.trie = Trie()
        self._spelled: dict[str, None] = {}

    def add(self, entry_id: str, names: Iterable[str]) -> None:
        """Names of one entry. A name that already means another entry keeps its meaning."""
        for name in names:
            tokens = name_tokens(name)
            if tokens:
                self.trie.add(tokens, entry_id)
                self._spelled.setdefault(" ".join(tokens[:DEEPEST]))

    def as_plain(self) -> dict[str, Any]:
        """What `Names` makes it again from: each place of the trie that is like another only once, what is below first.

        A place is token → number of the place below, under "" the number of an id; where only one name is left, a list
        of its last tokens and the number of the id.
        """
        ids: dict[str, int] = {}
        places: dict[tuple[Any, ...], int] = {}

        def number_of(node: Mapping[str, Any]) -> int:
            place = _tail(node, ids) or tuple(
                (token, number_of(down) if token else ids.setdefault(down, len(ids))) for token, down in node.items()
            )
            return places.setdefault(place, len(places))

        plain = [(token, number_of(down)) for token, down in self.trie.root.items()]
        places[tuple(plain)] = len(places)
        return {
            "ids": list(ids),
            "places": [dict(place) if isinstance(place[0], tuple) else list(place) for place in places],
            "spelled": "\n".join(self._spelled),
        }


def _tail(node: Mapping[str, Any], ids: dict[str, int]) -> tuple[Any, ...] | None:
    """The last tokens of the only name that is left and the number of its id; None where there are more."""
    tokens: list[str] = []
    while len(node) == 1:
        token, down = next(iter(node.items()))
        if not token:
            return (*tokens, ids.setdefault(down, len(ids)))
        tokens.append(token)
        node = down
    return None


class Names:
    """What is looked up in a name index: compact, because it stays in memory."""

    __slots__ = ("_spelled", "trie")

    def __init__(self, tables: Mapping[str, Any]) -> None:
        """From what `as_plain` says. The tables are used up."""
        ids, places = tables["ids"], tables["places"]
        for at, place in enumerate(places):
            if isinstance(place, list):
                places[at] = (*map(intern, place[:-1]), ids[place[-1]])
                continue
            for token, number in place.items():
                place[token] = places[number] if token else ids[number]
        self.trie = Trie()
        self.trie.root = places[-1]
        self._spelled: str = tables["spelled"]

    def nearest(self, name: str, n: int = 3, least: float = 70.0) -> tuple[str, ...]:
        """Ids of the n most similar names, best first; none that is less similar than `least` (0 to 100)."""
        asked = " ".join(name_tokens(name[:60]))
        if not asked:
            return ()
        from rapidfuzz import fuzz, process  # only for what no name matches: loading it takes 30 ms of a start

        spelled = self._spelled.split("\n")
        close = process.extract(asked, spelled, scorer=fuzz.ratio, limit=4 * n, score_cutoff=least)
        found = (self.trie.find(spelling.split(" "), 0) for spelling, _, _ in close)
        return tuple(dict.fromkeys(meant for _, meant in filter(None, found)))[:n]

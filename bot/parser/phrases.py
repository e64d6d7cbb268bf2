"""The phrases of a language compiled into one trie of words.

A phrase is plain text. `{n}` is a number, `{gb}` an amount of memory, `{b}` a model size; `<word>` any phrase of a list
under `words`; `a ... b` is a then b in the same sentence, `a & b` both anywhere.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from types import MappingProxyType
from typing import Any, NamedTuple

from bot.parser.combinations import Combination
from bot.parser.findings import Target, target_of
from knowledge.names import name_tokens

WIDEST = 400
"""Phrases that one phrase with <word> may stand for."""
SLOTS = frozenset({"{n}", "{gb}", "{b}"})
SECTIONS = ("ignore", "numbers", "values", "kinds", "claims", "symptoms", "marks", "faq")


class Meant(NamedTuple):
    """What the phrases that end at a place in the trie mean, sorted by what becomes of them."""

    targets: tuple[Target, ...]
    marks: tuple[str, ...]
    memory_ran_out: bool
    evidence: tuple[Target, ...]
    """Targets that leave their tokens to others; of rivals the first."""
    slots: tuple[Target, ...]
    """Targets that use up their tokens; of rivals the first."""

    @classmethod
    def of(cls, targets: Sequence[Target]) -> "Meant":
        """Sorts targets. Mostly there is one sort only, and one tuple serves twice."""
        every = tuple(targets)
        marks = tuple(target.name for target in targets if target.is_mark)
        rivals: dict[str, Target] = {}
        for target in targets:
            if not target.is_mark:
                rivals.setdefault(target.rival, target)
        evidence = tuple(target for target in rivals.values() if not target.uses_up)
        slots = tuple(target for target in rivals.values() if target.uses_up)
        if len(evidence) == len(every):
            evidence = every
        elif len(slots) == len(every):
            slots = every
        return cls(every, marks, "oom" in marks, evidence, slots)


class Node:
    """A place in the trie. `below`: next token → node; `slot`: a number may come next."""

    __slots__ = ("alone", "below", "meant", "slot")

    def __init__(self) -> None:
        self.below: Mapping[str, Node] = LEAF
        self.meant: Meant | None = None
        self.slot = False
        self.alone = False
        """Whether its own word may be a phrase, whatever word comes next."""

    def down(self, token: str) -> "Node":
        """The node below, made where there is none."""
        below = self.below
        if not isinstance(below, dict):
            below = self.below = {**below}
        node = below.get(token)
        if node is None:
            node = below[token] = Node()
            self.slot = self.slot or token in SLOTS
        return node


class Only(Mapping[str, Node]):
    """What is below a place where only one word may follow, as half of all do: a quarter of a dict's size."""

    __slots__ = ("node", "token")

    def __init__(self, token: str, node: Node) -> None:
        self.token, self.node = token, node

    def get(self, token: object, default: Any = None) -> Any:
        """The node below."""
        return self.node if token == self.token else default

    def __getitem__(self, token: str) -> Node:
        if token != self.token:
            raise KeyError(token)
        return self.node

    def __contains__(self, token: object) -> bool:
        return token == self.token

    def __iter__(self) -> Iterator[str]:
        yield self.token

    def __len__(self) -> int:
        return 1


LEAF: Mapping[str, Node] = MappingProxyType({})
"""What is below the last word of a phrase."""


def pieces(phrase: str) -> list[str]:
    """Tokens of a phrase, {slots} and <words> kept whole."""
    out: list[str] = []
    for word in str(phrase).split():
        if (
            word in SLOTS
            or (word[0] == "-" and word[1:].isdigit())
            or (word[0] == "<" and word[-1] == ">" and len(word) > 2)
        ):
            out.append(word)
        else:
            out.extend(name_tokens(word.replace("'", " ")))
    return out


class Compiled(NamedTuple):
    """The compiled phrases of a language."""

    root: Node
    lists: Mapping[str, Mapping[str, Any]]
    """Single words for the card and number readers: name → word → value."""
    combinations: Mapping[str, Sequence[Combination]]
    """By their first part."""


class Phrases:
    """Compiles the phrases of a language."""

    def __init__(self, tables: Iterable[tuple[Mapping[str, Any], frozenset[str]]]) -> None:
        """From tables of phrases, each with the single words of it that are left out."""
        self.root = Node()
        self.lists: dict[str, dict[str, Any]] = {}
        self.words: dict[str, list[list[str]]] = defaultdict(list)
        self.combinations: dict[str, list[Combination]] = defaultdict(list)
        self._without: frozenset[str] = frozenset()
        self._ends: dict[Node, list[Target]] = defaultdict(list)
        tables = list(tables)
        for table, self._without in tables:
            self._read_words(table)
            self._read_lists(table)
        for table, self._without in tables:
            for section in SECTIONS:
                for target in targets_of(section, table.get(section) or {}):
                    self._add(target)
        for node, targets in self._ends.items():
            node.meant = Meant.of(targets)
        self._ends.clear()
        for node in self.root.below.values():
            node.alone = node.slot or node.meant is not None
        self.compiled = Compiled(self.root, self.lists, dict(self.combinations))

    def _read_words(self, table: Mapping[str, Any]) -> None:
        for name, phrases in (table.get("words") or {}).items():
            for phrase in phrases:
                tokens = pieces(phrase)
                if tokens and not (len(tokens) == 1 and tokens[0] in self._without):
                    self.words[name].append(tokens)
                    self._put(tokens, target_of("atom", name, None, str(phrase)))

    def _read_lists(self, table: Mapping[str, Any]) -> None:
        for name, entries in (table.get("lists") or {}).items():
            into = self.lists.setdefault(name, {})
            for value, words in entries.items() if isinstance(entries, Mapping) else [(True, entries)]:
                into.update((str(word).lower(), value) for word in words)

    def _add(self, target: Target) -> None:
        phrase = target.phrase
        if " & " in phrase:
            self._combine([part.strip() for part in phrase.split(" & ")], False, target)
        elif " ... " in phrase:
            self._combine([part.strip() for part in phrase.split(" ... ")], True, target)
        else:
            for tokens in self._expanded(phrase):
                self._put(tokens, target)

    def _combine(self, parts: list[str], ordered: bool, target: Target) -> None:
        names = []
        for part in parts:
            bare = part[1:-1] if part[:1] == "<" and part[-1:] == ">" and " " not in part else None
            if bare in self.words:
                names.append(bare)
                continue
            names.append(part)
            for tokens in self._expanded(part):
                self._put(tokens, target_of("atom", part, None, part))
        self.combinations[names[0]].append(Combination(tuple(names), ordered, target))

    def _expanded(self, phrase: str) -> Iterable[list[str]]:
        choices = [
            self.words[piece[1:-1]] if piece[0] == "<" and len(piece) > 2 else [[piece]] for piece in pieces(phrase)
        ]
        for number, choice in enumerate(product(*choices)):
            if number >= WIDEST:
                raise ValueError(f"phrase stands for more than {WIDEST}: {phrase}")
            tokens = [token for part in choice for token in part]
            if tokens and not (len(tokens) == 1 and tokens[0] in self._without):
                yield tokens

    def _put(self, tokens: list[str], target: Target) -> None:
        node = self.root
        for token in tokens:
            node = node.down(token)
        self._ends[node].append(target)


def targets_of(section: str, table: Any) -> Iterable[Target]:
    """The phrases of a section: a list, name → list, or name → value → list."""
    if isinstance(table, list):
        for phrase in table:
            yield target_of(section, section, None, str(phrase))
        return
    for name, entries in table.items():
        if isinstance(entries, Mapping):
            for value, phrases in entries.items():
                for phrase in phrases or ():
                    yield target_of(section, str(name), value, str(phrase))
        else:
            for phrase in entries or ():
                yield target_of(section, str(name), None, str(phrase))

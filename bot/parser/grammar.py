"""The engine for phrases.yaml: compiles the phrases of a language into one trie and finds them in one walk.

A phrase is plain text. `{n}` is a number, `{gb}` an amount of memory, `{b}` a model size; `<word>` any phrase of a list
under `words`; `a ... b` is a then b in the same sentence, `a & b` both anywhere. The longest phrase wins.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from typing import Any

from bot.parser.affinity import lean, leanings
from bot.parser.combinations import Combination, place_of
from bot.parser.findings import Findings, Found, Target, target_of
from bot.parser.numbers import MEMORY, SIZE, Number
from bot.parser.text import BRACKET, JOINED, Message
from knowledge.language import LANGUAGES, load_language, shared_phrases
from knowledge.names import name_tokens

WIDEST = 400
"""Phrases that one phrase with <word> may stand for."""
SLOTS = frozenset({"{n}", "{gb}", "{b}"})
UNIT_SLOT = {MEMORY: "{gb}", SIZE: "{b}", **dict.fromkeys(("mb", "e", "t"), "no slot")}
FILLERS_BETWEEN = 2
NOTHING: frozenset[str] = frozenset()

SECTIONS = ("ignore", "numbers", "values", "kinds", "claims", "symptoms", "marks", "faq")
Accepted = tuple[int, list[Target], Number | None]
"""Where a phrase ends, what it means, and its number."""
SLOTS_BELOW = "{}"
"""Key of a trie node that has a slot among its children."""


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


class Grammar:
    """The compiled phrases of a language. Immutable once made."""

    def __init__(self, tables: Iterable[tuple[Mapping[str, Any], frozenset[str]]]) -> None:
        """From tables of phrases, each with the single words of it that are left out."""
        self.root: dict[str, Any] = {}
        self.lists: dict[str, dict[str, Any]] = {}
        self.words: dict[str, list[list[str]]] = defaultdict(list)
        self.combinations: dict[str, list[Combination]] = defaultdict(list)
        self.fillers: frozenset[str] = frozenset()
        self._without: frozenset[str] = frozenset()
        tables = list(tables)
        for table, self._without in tables:
            self._read_words(table)
            self._read_lists(table)
        for table, self._without in tables:
            for section in SECTIONS:
                for target in _targets(section, table.get(section) or {}):
                    self._add(target)

        self.leanings = leanings(
            [target for table, _ in tables for target in _targets("kinds", table.get("kinds") or {})]
        )

    def _read_words(self, table: Mapping[str, Any]) -> None:
        for name, phrases in (table.get("words") or {}).items():
            for phrase in phrases:
                tokens = pieces(phrase)
                if tokens and not (len(tokens) == 1 and tokens[0] in self._without):
                    self.words[name].append(tokens)
                    self._put(tokens, target_of("atom", name, None, str(phrase)))

    def _read_lists(self, table: Mapping[str, Any]) -> None:
        """Single words for the card and number readers: word → value."""
        for name, entries in (table.get("lists") or {}).items():
            into = self.lists.setdefault(name, {})
            for value, words in entries.items() if isinstance(entries, Mapping) else [(True, entries)]:
                into.update((str(word).lower(), value) for word in words)
        self.fillers = frozenset(self.lists.get("fillers", {}))

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
            if token in SLOTS:
                node[SLOTS_BELOW] = True
            node = node.setdefault(token, {})
        node.setdefault("", []).append(target)

    def scan(self, message: Message, numbers: Mapping[int, Number]) -> Findings:
        """All phrases of a message. Linear: every place is walked once, and no phrase is longer than the trie."""
        findings = Findings()
        root, gaps, tokens = self.root, message.gaps, [*message.tokens, ""]
        until = 0
        for at, token in enumerate(message.tokens):
            node = root.get(token)
            if token[0].isdigit():
                if gaps[at][-1:] == "-":
                    self._sort(findings, at, [(at + 1, self._minus(message, at), None)], until)
                if at in numbers:
                    accepted = self._walk(message, numbers, [(root, at, None, 0)])
                elif node is not None:
                    accepted = self._walk_words(message, numbers, at, node)
                else:
                    continue
            elif node is None or not ("" in node or SLOTS_BELOW in node or tokens[at + 1] in node):
                continue  # the common case, without a call
            else:
                accepted = self._walk_words(message, numbers, at, node)
            if accepted:
                until = self._sort(findings, at, accepted, until)
        self._combined(message, findings)
        findings.leaning = lean(self.leanings, message.tokens)
        return findings

    def _minus(self, message: Message, at: int) -> list[Target]:
        """What "-9" means; the 9 of "8-9" has no minus."""
        gap = message.gaps[at]
        if gap[-1:] != "-" or (at and len(gap) == 1):
            return []
        targets: list[Target] = self.root.get("-" + message.tokens[at], {}).get("", [])
        return targets

    def matches(self, message: Message, numbers: Mapping[int, Number]) -> set[Target]:
        """Everything that a phrase says anywhere, also where a longer one wins: for tests and tools."""
        found = {evidence.target for evidence in self.scan(message, numbers).evidence}
        for at in range(len(message.tokens)):
            for _, targets, _ in self._walk(message, numbers, [(self.root, at, None, 0)]):
                found.update(targets)
            found.update(self._minus(message, at))
        return found

    def _walk_words(
        self, message: Message, numbers: Mapping[int, Number], at: int, node: dict[str, Any]
    ) -> list[Accepted]:
        """The common case of `_walk`: words only, so there is one way through the trie."""
        tokens, parts, size = message.tokens, message.parts, len(message.tokens)
        accepted: list[Accepted] = []
        place = at + 1
        while True:
            targets = node.get("")
            if targets is not None:
                accepted.append((place, targets, None))
            if place >= size:
                return accepted
            if SLOTS_BELOW in node:
                return accepted + self._walk(message, numbers, [(node, place, None, 0)], skip_first=True)
            if parts[place] > JOINED:
                return accepted
            following = node.get(tokens[place])
            if following is None:
                return accepted
            node = following
            place += 1

    def _walk(
        self,
        message: Message,
        numbers: Mapping[int, Number],
        stack: list[tuple[dict[str, Any], int, Number | None, int]],
        skip_first: bool = False,
    ) -> list[Accepted]:
        """Every phrase from here on: a number may stand for a slot, small words before it are passed over."""
        tokens, parts, size = message.tokens, message.parts, len(message.tokens)
        accepted: list[Accepted] = []
        root = self.root
        while stack:
            node, place, number, skipped = stack.pop()
            if "" in node and not skipped and not skip_first and node is not root:
                accepted.append((place, node[""], number))
            skip_first = False
            if place >= size:
                continue
            slots = SLOTS_BELOW in node
            if node is not root and parts[place] > (
                BRACKET if slots or (number is not None and number.end == place) else JOINED
            ):
                continue
            token = tokens[place]
            following = node.get(token)
            if following is not None and (parts[place] <= JOINED or node is root):
                stack.append((following, place + 1, number, 0))
            if not slots or number is not None:
                continue
            here = numbers.get(place)
            if here is not None:
                branch = node.get(UNIT_SLOT.get(here.unit, "{n}"))
                if branch is not None:
                    stack.append((branch, here.end, here, 0))
            elif skipped < FILLERS_BETWEEN and node is not root and token in self.fillers:
                stack.append((node, place + 1, None, skipped + 1))
        return accepted

    def _sort(self, findings: Findings, at: int, accepted: list[Accepted], until: int) -> int:
        """Slots: the leftmost, longest phrase. Evidence: the longest of its rivals that start here."""
        if len(accepted) == 1 and len(accepted[0][1]) == 1 and not accepted[0][1][0].is_mark:
            end, (target,), number = accepted[0]
            if not target.uses_up:
                findings.evidence.append(Found(at, end, target, number))
            elif at >= until:
                findings.slots.append(Found(at, end, target, number))
                return end
            return until
        longest: dict[str, tuple[int, Target, Number | None]] = {}
        furthest = 0
        for end, targets, number in accepted:
            for target in targets:
                if target.is_mark:
                    findings.marks[target.name].append(at)
                    if target.name == "oom":
                        findings.covered.append((at, end))
                    continue
                known = longest.get(target.rival)
                if known is None or end > known[0]:
                    longest[target.rival] = (end, target, number)
                    if target.uses_up and end > furthest:
                        furthest = end
        for end, target, number in longest.values():
            if not target.uses_up:
                findings.evidence.append(Found(at, end, target, number))
            elif end == furthest and at >= until:
                findings.slots.append(Found(at, end, target, number))
        return furthest if furthest and at >= until else until

    def _combined(self, message: Message, findings: Findings) -> None:
        marks = findings.marks
        combinations = self.combinations
        for name in [name for name in marks if name in combinations]:
            for combination in combinations[name]:
                if combination.parts[1] in marks and (
                    len(combination.parts) == 2 or all(part in marks for part in combination.parts)
                ):
                    place = place_of(message, combination, marks)
                    if place is not None:
                        findings.evidence.append(Found(place, place + 1, combination.target, None))


def _targets(section: str, table: Any) -> Iterable[Target]:
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


@cache
def grammar_of(code: str) -> Grammar:
    """The grammar for a language: what is the same everywhere, English (everybody's second language here), its own."""
    own, english = load_language(code).phrases, load_language(LANGUAGES[0]).phrases
    tables = [(shared_phrases(), NOTHING), (english, frozenset(map(str, own.get("not_english") or ())))]
    if own is not english:
        tables.append((own, NOTHING))
    return Grammar(tables)

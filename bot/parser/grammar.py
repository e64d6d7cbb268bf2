"""The engine for phrases.yaml: finds the phrases of a language in one walk over a message. The longest phrase wins."""

from collections.abc import Mapping
from functools import cache
from itertools import compress, count
from pathlib import Path
from typing import Any

from bot.parser.affinity import Leanings, leanings
from bot.parser.combinations import place_of
from bot.parser.compact import Writer, from_plain
from bot.parser.findings import Findings, Target, found_at
from bot.parser.numbers import MEMORY, SIZE, Number
from bot.parser.phrases import Compiled, Meant, Node, Phrases, targets_of
from bot.parser.text import BRACKET, JOINED, Message
from knowledge.kept import kept
from knowledge.language import LANGUAGES, load_language, shared_phrases

UNIT_SLOT = {MEMORY: "{gb}", SIZE: "{b}", **dict.fromkeys(("mb", "e", "t"), "no slot")}
FILLERS_BETWEEN = 2
FOLDER = Path(__file__).parent
NOTHING: frozenset[str] = frozenset()

Numbers = Mapping[int, Number]
"""First token → number."""
Accepted = tuple[int, Meant, Number | None]
"""Where a phrase ends, what it means, and its number."""


class Grammar:
    """The phrases of a language, and how they are found. Immutable once made."""

    def __init__(self, compiled: Compiled) -> None:
        self.root, self.lists, combinations = compiled
        self.combinations = {
            name: (tuple(begun), tuple(combination.parts[1] for combination in begun))
            for name, begun in combinations.items()
        }
        """By first part: the combinations, and the second part of each."""
        self.fillers = frozenset(self.lists.get("fillers", {}))

    def scan(self, message: Message, numbers: Numbers) -> Findings:
        """All phrases of a message. Linear: every place is walked once, and no phrase is longer than the trie."""
        findings = Findings()
        following, firsts = [*message.tokens[1:], ""], map(self.root.below.get, message.tokens)
        until, fillers = 0, self.fillers
        for at, figure, node, word in zip(count(), message.figures, firsts, following, strict=False):
            if figure:
                if message.gaps[at][-1:] == "-" and (minus := self._minus(message, at)) is not None:
                    self._take(findings, at, (at + 1, minus, None), until)
                if node is None and at not in numbers:
                    continue
                accepted = self._phrases_at(message, numbers, at, node)
            elif node is None:
                continue
            elif word in node.below or (node.slot and (at + 1 in numbers or word in fillers)):
                accepted = []
                self._words(message, numbers, node, at + 1, None, accepted)
            elif node.meant is not None:
                until = self._take(findings, at, (at + 1, node.meant, None), until)
                continue
            else:
                continue
            if accepted:
                until = self._sort(findings, at, accepted, until)
        self._combined(message, findings)
        return findings

    def matches(self, message: Message, numbers: Numbers) -> set[Target]:
        """Everything that a phrase says anywhere, also where a longer one wins: for tests and tools."""
        found = {evidence.target for evidence in self.scan(message, numbers).evidence}
        for at, token in enumerate(message.tokens):
            for _, meant, _ in self._phrases_at(message, numbers, at, self.root.below.get(token)):
                found.update(meant.targets)
            minus = self._minus(message, at)
            found.update(minus.targets if minus else ())
        return found

    def _minus(self, message: Message, at: int) -> Meant | None:
        """What "-9" means; the 9 of "8-9" has no minus."""
        gap = message.gaps[at]
        node = self.root.below.get("-" + message.tokens[at]) if gap[-1:] == "-" and not (at and len(gap) == 1) else None
        return None if node is None else node.meant

    def _phrases_at(self, message: Message, numbers: Numbers, at: int, node: Node | None) -> list[Accepted]:
        """Every phrase that starts at a token: one whose number stands there, and one that begins with its word."""
        accepted: list[Accepted] = []
        if at in numbers:
            self._after_number(message, numbers, self.root, numbers[at], accepted)
        if node is not None:
            self._words(message, numbers, node, at + 1, None, accepted)
        return accepted

    def _words(
        self, message: Message, numbers: Numbers, node: Node, place: int, number: Number | None, out: list[Accepted]
    ) -> None:
        """Follows the words from a place on: one way through the trie until a number may come."""
        tokens, parts = message.tokens, message.parts
        size = len(tokens)
        while True:
            if node.meant is not None:
                out.append((place, node.meant, number))
            if place == size:
                return
            if node.slot and number is None and (place in numbers or tokens[place] in self.fillers):
                self._number(message, numbers, node, place, 0, out)
            if parts[place] > JOINED or (following := node.below.get(tokens[place])) is None:
                return
            node = following
            place += 1

    def _number(
        self, message: Message, numbers: Numbers, node: Node, place: int, skipped: int, out: list[Accepted]
    ) -> None:
        """A number that may stand here; small words before it are passed over."""
        if place >= len(message.tokens) or message.parts[place] > BRACKET:
            return
        token, number = message.tokens[place], numbers.get(place)
        if number is not None:
            self._after_number(message, numbers, node, number, out)
        elif skipped < FILLERS_BETWEEN and token in self.fillers:
            self._number(message, numbers, node, place + 1, skipped + 1, out)
        if skipped and message.parts[place] <= JOINED and (following := node.below.get(token)) is not None:
            self._words(message, numbers, following, place + 1, None, out)

    def _after_number(
        self, message: Message, numbers: Numbers, node: Node, number: Number, out: list[Accepted]
    ) -> None:
        branch = node.below.get(UNIT_SLOT.get(number.unit, "{n}"))
        if branch is not None:
            self._words(message, numbers, branch, number.end, number, out)

    def _sort(self, findings: Findings, at: int, accepted: list[Accepted], until: int) -> int:
        """Slots: the leftmost, longest phrase. Evidence: the longest of its rivals that start here."""
        if len(accepted) == 1:
            return self._take(findings, at, accepted[0], until)
        longest: dict[str, tuple[int, Target, Number | None]] = {}
        furthest = 0
        for end, (_, marks, memory_ran_out, evidence, slots), number in accepted:
            for name in marks:
                findings.marks[name].append(at)
            if memory_ran_out:
                findings.covered.append((at, end))
            if slots and end > furthest:
                furthest = end
            for target in evidence + slots:
                known = longest.get(target.rival)
                if known is None or end > known[0]:
                    longest[target.rival] = (end, target, number)
        for end, target, number in longest.values():
            if not target.uses_up:
                findings.evidence.append(found_at((at, end, target, number)))
            elif end == furthest and at >= until:
                findings.slots.append(found_at((at, end, target, number)))
        return furthest if furthest and at >= until else until

    def _take(self, findings: Findings, at: int, accepted: Accepted, until: int) -> int:
        """The only phrase that starts at a place."""
        end, (_, marks, memory_ran_out, evidence, slots), number = accepted
        for name in marks:
            findings.marks[name].append(at)
        if memory_ran_out:
            findings.covered.append((at, end))
        for target in evidence:
            findings.evidence.append(found_at((at, end, target, number)))
        if not slots or at < until:
            return until
        for target in slots:
            findings.slots.append(found_at((at, end, target, number)))
        return end

    def _combined(self, message: Message, findings: Findings) -> None:
        marks, combinations = findings.marks, self.combinations
        for name in [*filter(combinations.__contains__, marks)]:
            begun, seconds = combinations[name]
            for combination in compress(begun, map(marks.__contains__, seconds)):
                if len(combination.parts) == 2 or all(part in marks for part in combination.parts):
                    place = place_of(message, combination, marks)
                    if place is not None:
                        findings.evidence.append(found_at((place, place + 1, combination.target, None)))


def grammar_of(code: str) -> Grammar:
    """The grammar for a language: what is the same everywhere, English (everybody's second language here), its own."""
    return _grammars()[code]


@cache
def _grammars() -> Mapping[str, Grammar]:
    table = kept("phrases", lambda: Writer().as_plain({code: compiled(code) for code in LANGUAGES}), by=FOLDER)
    return {code: Grammar(made) for code, made in from_plain(table).items()}


def compiled(code: str) -> Compiled:
    """The phrases for a language from their source, words and all."""
    return Phrases(_tables(code)).compiled


def leanings_of(code: str) -> Leanings:
    """Which kinds the words lean to that stand in the phrases of a language. Not kept: the reader packs it."""
    return leanings(target for table, _ in _tables(code) for target in targets_of("kinds", table.get("kinds") or {}))


def _tables(code: str) -> list[tuple[Mapping[str, Any], frozenset[str]]]:
    own = load_language(code).phrases
    if code == LANGUAGES[0]:
        return [(shared_phrases(), NOTHING), (own, NOTHING)]
    english = load_language(LANGUAGES[0]).phrases
    return [(shared_phrases(), NOTHING), (english, frozenset(map(str, own.get("not_english") or ()))), (own, NOTHING)]

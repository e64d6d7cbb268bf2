"""Which part of a message went wrong: there is what the asker wants, not where it worked or in another's case."""

from bisect import bisect_left, bisect_right

from bot.parser.findings import Findings, Found
from bot.parser.text import COMMA, JOINED, STOP, Message
from bot.parser.words import words

HEARSAY_REACH = 24
"""Tokens after "the guide says" that belong to it, within the sentence."""


TRIED_REACH = 5
"""Tokens between "tried" and what was tried."""
VERBS_PASSED = 3
"""Words such as "want to use" between "don't" and what is not wanted."""
SAYING_REACH = 5
"""Tokens after "readme" in which it says something."""


TURNING = frozenset({"no", "do_not", "instead", "later"})
"""Lists whose words deny something, wish for another, or put it off."""


class Clauses:
    """The clauses of a message: split at marks and at words such as "but"."""

    __slots__ = ("_gaps", "_numbered", "_starts", "_tokens", "_tried", "bad", "good", "parts", "theirs", "turned")

    def __init__(self, message: Message, findings: Findings) -> None:
        self._tokens, self._gaps, self.parts = message.tokens, message.gaps, message.parts
        said = message.said
        self._tried = "tried" in said
        self.turned = not TURNING.isdisjoint(said)
        """Whether a word denies something, wishes for another, or puts it off."""
        self._starts: list[int] = []
        self._numbered: tuple[list[int], set[int]] | None = None
        marks = findings.marks
        self.bad: set[int] = set()
        if "oom" in marks or "failed" in marks:
            self.bad = {self.of(place) for place in (*marks.get("oom", ()), *marks.get("failed", ()))}
        """Clauses that tell of running out of memory."""
        if "closing_no" in said:
            self.bad |= {self.of(place) for place in _closing(message)}
        works = marks.get("works", [])
        if "working" in said:
            works = [*works, *_working(message)]
        self.good = {self.of(place) for place in works} - self.bad if works else set()
        theirs = marks.get("not_ours", [])
        self.theirs = _told_by_others(message, theirs) if "source" in said else theirs
        """Places from which on somebody else's case is told."""

    @property
    def starts(self) -> list[int]:
        """First tokens of the clauses. Most messages never ask."""
        if not self._starts:
            turns, tokens = words("turns"), self._tokens
            self._starts = [
                p for p, token in enumerate(tokens) if not p or self.parts[p] >= COMMA or token in turns
            ] or [0]
        return self._starts

    def of(self, place: int) -> int:
        """The clause of a token."""
        return bisect_right(self.starts, place) - 1

    def sentence(self, place: int) -> int:
        """The number of the sentence of a token."""
        return self._sentences()[0][place]

    def sentences_of(self, clauses: set[int]) -> set[int]:
        """The sentences in which some clauses stand."""
        return {self.sentence(self.starts[clause]) for clause in clauses}

    def choose(self, places: list[int]) -> int:
        """Which of several places is meant: one that went wrong, when the first one worked; else the first."""
        if len(places) == 1:
            return 0
        own = [number for number, place in enumerate(places) if not self.hearsay(place)] or list(range(len(places)))
        first = own[0]
        if self._tried:
            first = self._first_open(places, own)
        if self.good and self.of(places[first]) not in self.bad:
            failed = (number for number in own[1:] if self.of(places[number]) in self.bad)
            if self.of(places[first]) in self.good:  # "mixtral works, DBRX (smaller!) OOMs"
                left = (number for number in own[1:] if self.of(places[number]) not in self.good)
                return next(failed, next(left, first))
            other = next(failed, first)
            return first if self._failed_too(places[first], places[other]) else other
        return first

    def _failed_too(self, first: int, other: int) -> bool:
        """ "batch 1: runs, then OOM. Batch 2 fails at once": the first died in a sentence before the other's."""
        between = (self.starts[clause] for clause in self.bad if self.of(first) < clause < self.of(other))
        return any(self.sentence(start) < self.sentence(other) for start in between)

    def _first_open(self, places: list[int], own: list[int]) -> int:
        """The first place that is no earlier try before one that is asked about: "tried 7b, 9 GB used. 13b too?"."""
        sentence, asked = self._sentences()
        last = max((number for number in own if sentence[places[number]] in asked), default=-1)
        for number in own:
            place = places[number]
            tried = any(token in words("tried") for token in self._tokens[max(0, place - TRIED_REACH) : place])
            if not tried or number >= last or sentence[place] in asked:
                return number
        return own[0]

    def _sentences(self) -> tuple[list[int], set[int]]:
        """The number of the sentence of each token, and the sentences that end in a question mark."""
        if self._numbered is not None:
            return self._numbered
        number, of, asked = 0, [], set()
        for place, part in enumerate(self.parts[: len(self._tokens)]):
            if place and part >= STOP:
                asked.update([number] if "?" in self._gaps[place] else [])
                number += 1
            of.append(number)
        asked.update([number] if "?" in self._gaps[-1] else [])
        self._numbered = of, asked
        return of, asked

    def hearsay(self, place: int, reach: int = HEARSAY_REACH) -> bool:
        """Whether somebody else's case is told there."""
        if not self.theirs:
            return False
        near = self.theirs[bisect_left(self.theirs, place - reach) : bisect_left(self.theirs, place)]
        return any(not any(map(self._is_own_again, range(start + 1, place + 1))) for start in near)

    def _is_own_again(self, place: int) -> bool:
        """Whether a new sentence begins, or a clause in which the asker speaks of themselves: ", we would like"."""
        if self.parts[place] >= STOP:
            return True
        if self._gaps[place][:1] == ":" and self._tokens[place - 1] in words("first_person"):
            return True  # "me: 30B on one card"
        begins = self.parts[place] >= COMMA or self._tokens[place - 1] in words("turns")
        return begins and self._tokens[place] in words("first_person")


def _working(message: Message) -> list[int]:
    """Words that say that something worked, apart from those that are phrases."""
    known = words("working")
    return [place for place, token in enumerate(message.tokens) if token in known]


def _closing(message: Message) -> list[int]:
    """Where a word that denies closes its clause: "GRPO mit 1024 nicht", "20k doesn't,"."""
    ends, closing = [*message.parts[1:], STOP], words("closing_no")
    return [
        place
        for place, token in enumerate(message.tokens)
        if token in closing
        and ends[place] >= COMMA
        and (token not in words("shortened_not") or message.token(place - 1) in words("does_not"))
    ]


def _told_by_others(message: Message, marks: list[int]) -> list[int]:
    """Where somebody else's case begins: by phrase, or by a source that says something ("the readme of trl claims")."""
    tokens, sources = message.tokens, words("source")
    if "persons" in message.said:
        sources = sources | words("pronouns")  # "my colleague did it ... he has 128 GB"
    saying = words("saying")
    told = [
        place
        for place, word in enumerate(tokens)
        if word in sources
        and not (word == "card" and message.token(place - 1) in words("owner"))  # "my card has 8 GB"
        and (
            _says_what_follows(message, place)
            or any(
                (tokens[at] in saying or (word in words("persons") and tokens[at] in words("needing")))
                and all(message.parts[p] < COMMA for p in range(place + 1, at + 1))
                for at in range(place + 1, min(len(tokens), place + SAYING_REACH))
            )
        )
    ]
    return sorted({*marks, *told})


def _says_what_follows(message: Message, place: int) -> bool:
    """ "paper: 65B in 24h", "blog: 'fits in 16GB'"."""
    return message.gaps[place + 1][:1] == ":" and message.tokens[place] in words("quoted_source")


def is_denied(found: Found, message: Message) -> bool:
    """ "no lora", "not unsloth", "ohne packing", "don't want to use axolotl": the opposite of what is named."""
    tokens, at = message.tokens, found.start - 1
    passed = 0
    while at >= 0 and passed < VERBS_PASSED and tokens[at] in words("denied_verbs") and message.parts[at + 1] <= JOINED:
        at, passed = at - 1, passed + 1
    if at < 0 or message.parts[at + 1] > JOINED:
        return False
    if tokens[at] in words("shortened_not") or (passed and tokens[at] in words("not_of_verb")):
        return passed > 0 and message.token(at - 1) in words("do_not")
    return tokens[at] in words("no") and message.token(at - 1) not in words("asking_why")

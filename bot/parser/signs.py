"""What a message shows of its kind: the phrases that ask, what is told, what was found, and its words.

The same signs are counted when the weights are fitted (`python -m knowledge fit-kinds`) and when a message is read.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import compress, count, pairwise, repeat
from operator import contains, itemgetter, mul
from typing import NamedTuple

from bot.parser.findings import Findings, Target
from bot.parser.text import STOP, Message

SHARES = (1.0, 0.5, 0.3)
"""What the strongest, second and third phrase of a kind count: a long message must not win by its length."""
STEPS = 10
"""Steps in which the strength of phrases is counted."""
FULL = 6 * STEPS
"""Strength of one phrase that asks in so many words."""
HALF_OF_WORDS = 120
"""Words at either end of a message that are looked at: the question stands first or last."""
NUMBER, NAME, EDGE = "0", "@", "|"
"""What stands for any number, for the name of a card or model, and for the ends of a message."""

Gram = str | tuple[str, str]
"""A word, or a pair of neighbouring words."""


class Signs(NamedTuple):
    """Everything that speaks for or against a kind."""

    phrases: Mapping[str, list[float]]
    """Kind → weights of the phrases that ask for it."""
    circumstances: Collection[str]
    marks: Collection[str]
    claims: Collection[str]
    symptoms: Collection[str]
    stated: Collection[str]
    where: Collection[str]
    """Marks with where they stand: "oom asked", "oom told", "oom before" the last question."""
    asked: Collection[str]
    """Words of the first and the last question."""
    words: Collection[Gram]


NAMED = ("circumstances", "marks", "claims", "symptoms", "stated", "where", "asked", "words")
"""Signs that are there or not."""


def signs_of(message: Message, findings: Findings, told: Collection[str], sources: Mapping[str, str]) -> Signs:
    """The signs of a message that was read. `sources`: slot → whether it is stated."""
    places: list[tuple[int, int, Target]] = []
    told_of: dict[str, set[str]] = {"claims": set(), "symptoms": set()}
    for start, end, target, _ in findings.evidence:
        if target.section == "kinds":
            places.append((start, -end, target))
        elif target.section in told_of:
            told_of[target.section].add(target.name)
    words = plain_words(message)
    questions = _questions(message) if "?" in message.text else []
    return Signs(
        _phrases(places, findings.covered),
        told,
        findings.marks,
        told_of["claims"],
        told_of["symptoms"],
        [slot for slot, source in sources.items() if source == "stated"],
        _where(findings.marks, questions),
        _asked(words, questions),
        grams(ends(words)),
    )


def plain_words(message: Message) -> list[str]:
    """The words of a message, without what differs from case to case: figures, and names of cards and models."""
    words = [*message.tokens]
    for place in compress(count(), message.taken):
        words[place] = NAME
    for place in compress(count(), message.figures):
        words[place] = NUMBER
    return words


def ends(words: Sequence[str]) -> list[str]:
    """Both ends of a message, with a mark where it begins and where it stops."""
    if len(words) > 2 * HALF_OF_WORDS:
        words = [*words[:HALF_OF_WORDS], *words[-HALF_OF_WORDS:]]
    return [EDGE, *words, EDGE]


def _questions(message: Message) -> list[tuple[int, int]]:
    """Where sentences with a question mark begin and end."""
    parts, found = message.parts, []
    for end in compress(count(), map(contains, message.gaps, repeat("?"))):
        start = end - 1
        while start > 0 and parts[start] < STOP:
            start -= 1
        if start >= 0:
            found.append((start, end))
    return found


class _Standing(dict[str, tuple[str, str, str]]):
    """Mark → its names where it is asked, told, and before the last question."""

    def __missing__(self, mark: str) -> tuple[str, str, str]:
        self[mark] = names = (f"{mark} asked", f"{mark} told", f"{mark} before")
        return names


_STANDING = _Standing()


def _where(marks: Mapping[str, Sequence[int]], questions: Sequence[tuple[int, int]]) -> set[str]:
    """Whether marks are part of a question, and whether they stand before the last one."""
    if not questions:
        return {told for _, told, _ in map(_STANDING.__getitem__, marks)}
    asks = {place for start, end in questions for place in range(start, end)}
    last, found = questions[-1][0], set()
    for mark, places in marks.items():
        asked, told, before = _STANDING[mark]
        if not asks.isdisjoint(places):
            found.add(asked)
        if not asks.issuperset(places):
            found.add(told)
        if places and places[0] < last:
            found.add(before)
    return found


def _asked(words: Sequence[str], questions: Sequence[tuple[int, int]]) -> set[str]:
    """The words of the first and the last question."""
    if not questions:
        return set()
    (first, until), (last, end) = questions[0], questions[-1]
    return {*words[first : min(until, first + HALF_OF_WORDS)], *words[max(last, end - HALF_OF_WORDS) : end]}


def grams(words: Sequence[str]) -> set[Gram]:
    """Words and pairs of neighbouring words."""
    return {*words, *pairwise(words)}


def as_text(gram: Gram) -> str:
    """A word, or both words of a pair with a blank between."""
    return gram if isinstance(gram, str) else " ".join(gram)


def strength(weights: Sequence[float]) -> int:
    """How strongly the phrases of one kind ask, in steps."""
    if len(weights) == 1:
        return round(STEPS * weights[0])
    shared: Iterable[float] = map(mul, sorted(weights, reverse=True), SHARES)
    return round(STEPS * sum(shared))


_place = itemgetter(0, 1)
"""The first and longest before the others."""


def _phrases(places: Collection[tuple[int, int, Target]], covered: Sequence[tuple[int, int]]) -> dict[str, list[float]]:
    """Weights of the phrases of each kind; of overlapping ones only the first, and none inside "not enough memory"."""
    if len(places) == 1 and not covered:
        return {target.name: [target.value] for _, _, target in places}
    weights: dict[str, list[float]] = {}
    ends: dict[str, int] = {}
    reach, reached, covers, behind = 0, 0.0, 0, 0
    for start, minus_end, target in sorted(places, key=_place):
        kind, end = target.name, -minus_end
        if end < reach and target.value <= reached:
            continue  # "what is" in "what is the best gpu"
        if end >= reach:
            reach, reached = end, target.value
        while covers < len(covered) and covered[covers][0] <= start:
            behind = max(behind, covered[covers][1])
            covers += 1
        if start < ends.get(kind, 0):
            weights[kind][-1] = max(weights[kind][-1], target.value)
        elif kind == "oom_help" or end > behind:
            ends[kind] = end
            weights.setdefault(kind, []).append(target.value)
    return weights

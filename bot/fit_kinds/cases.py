"""Messages as numbers, as they will be met: without the phrases that only they show.

Phrases were often written down because of a message that is learnt from as well. Where it is learnt with them, phrases
seem surer than they are when somebody else writes.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from bot.parser.affinity import Leanings
from bot.parser.findings import Findings, Found
from bot.parser.grammar import leanings_of
from bot.parser.reading import parts_of, weights_language
from bot.parser.signs import FULL, NAMED, NUMBER, Signs, as_text, signs_of, strength
from bot.parser.tally import KINDS, PLACE
from bot.parser.understanding import Parts
from knowledge.kind_examples import UNSEEN, Example

HALF = 0.5
"""What the leanings of words are multiplied with, so that they are of the size of other signs."""
LEAST_OTHERS = 2
"""Other questions that must show a phrase, or a word that leans to a kind, before it counts."""
SECOND_CHOICE = 0.3
"""Share of the further kinds where more than one is right."""
PHRASES = frozenset({"kinds", "claims", "symptoms"})

Sign = tuple[str, str]
"""Section and name."""


class Case(NamedTuple):
    """A message as numbers. Told in other words it has the same origin."""

    signs: dict[Sign, float]
    wanted: list[float]
    weight: float
    origin: str


def cases_of(examples: Sequence[Example]) -> list[Case]:
    """Reads messages. Those that are never fitted to keep all their signs."""
    every = [parts_of(example.text) for example in examples]
    shown: dict[str, set[Sign]] = defaultdict(set)
    for example, parts in zip(examples, every, strict=True):
        if example.file != UNSEEN:
            shown[example.origin] |= _shown(parts)
    origins = Counter(sign for signs in shown.values() for sign in signs)
    return [
        _case(example, _signs(parts, origins, shown[example.origin] if example.file != UNSEEN else None))
        for example, parts in zip(examples, every, strict=True)
    ]


def _case(example: Example, signs: dict[Sign, float]) -> Case:
    wanted = [0.0] * len(KINDS)
    for place, kind in enumerate(example.kinds):
        rest = SECOND_CHOICE / max(1, len(example.kinds) - 1)
        wanted[PLACE[kind]] = rest if place else 1.0 - SECOND_CHOICE * (len(example.kinds) > 1)
    return Case(signs, wanted, example.weight, example.origin)


def _shown(parts: Parts) -> set[Sign]:
    """The phrases and words of a message."""
    signs = signs_of(parts.message, parts.findings, parts.told, parts.slots.sources)
    phrases = {_phrase(found, parts) for found in parts.findings.evidence if found.target.section in PHRASES}
    return phrases | {("words", as_text(gram)) for gram in signs.words}


def _phrase(found: Found, parts: Parts) -> Sign:
    """A phrase by what it means and the words that it was found in."""
    words = parts.message.tokens[found.start : found.end]
    said = " ".join(NUMBER if word[0].isdigit() else word for word in words)
    return f"{found.target.section} {found.target.name}", said


def _signs(parts: Parts, origins: Mapping[Sign, int], own: set[Sign] | None) -> dict[Sign, float]:
    """The signs that count. `own`: what the message and its other wordings show; None: everything counts."""
    findings = parts.findings
    if own is not None:
        findings = Findings()
        findings.slots, findings.marks, findings.covered = (
            parts.findings.slots,
            parts.findings.marks,
            parts.findings.covered,
        )
        findings.evidence = [
            found
            for found in parts.findings.evidence
            if found.target.section not in PHRASES or origins[_phrase(found, parts)] > LEAST_OTHERS
        ]
    signs = signs_of(parts.message, findings, parts.told, parts.slots.sources)
    leaning = [gram for gram in map(as_text, signs.words) if own is None or origins["words", gram] > LEAST_OTHERS]
    return counted(signs, leaning, weights_language(parts))


def counted(signs: Signs, leaning: Iterable[str], code: str) -> dict[Sign, float]:
    """Signs by section and name. `leaning`: words whose leanings count."""
    seen: dict[Sign, float] = {("always", "always"): 1.0}
    for kind, weights in signs.phrases.items():
        seen["phrases", kind] = strength(weights) / FULL
    for section, shown in zip(NAMED, signs[1:], strict=True):
        for name in shown:
            seen[section, as_text(name)] = 1.0
    leans = _leanings(code)
    for gram in leaning:
        for kind, share in leans.get(gram, {}).items():
            seen["leaning", kind] = seen.get(("leaning", kind), 0.0) + HALF * share
    return seen


@cache
def _leanings(code: str) -> Mapping[str, Mapping[str, float]]:
    found: Leanings = leanings_of(code)
    return {as_text(gram): kinds for gram, kinds in found.items()}

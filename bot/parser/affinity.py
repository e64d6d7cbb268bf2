"""Which kind of question single words lean to, derived from the phrases of all kinds.

A phrase is only found word by word; people put the same words in many more ways. A word or pair of words that stands in
the phrases of one kind and hardly in those of others leans to that kind. No list of its own: whoever adds a phrase to
phrases.yaml teaches these too.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

from bot.parser.findings import Target
from knowledge.names import name_tokens

CHANCE = 0.1
"""Share of a kind that a word has by chance."""
DOUBT = 4.0
"""Phrases that a word must stand in before its share is half believed."""
FULL_WEIGHT = 6.0
"""A phrase of this weight counts once, a weaker one in proportion."""
ENOUGH = 40
"""Words and pairs from which on a longer message does not lean more."""

MOST_WORDS = 160
"""Words of a message that are looked at."""

Gram = str | tuple[str, str]
"""A word, or a pair of neighbouring words."""
Leanings = Mapping[Gram, tuple[tuple[str, float], ...]]
"""Word or pair of words → kinds and how much it leans to each, 0 to 1."""


def grams(tokens: Sequence[str]) -> set[Gram]:
    """Words and pairs of neighbouring words."""
    return {*tokens, *pairwise(tokens)}


def leanings(targets: Sequence[Target]) -> Leanings:
    """From the phrases of all kinds."""
    counts: dict[Gram, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for target in targets:
        plain = [word for word in target.phrase.split() if word[0] not in "{<&."]
        for gram in grams(name_tokens(" ".join(plain))):
            counts[gram][target.name] += min(1.0, target.value / FULL_WEIGHT)
    found: dict[Gram, tuple[tuple[str, float], ...]] = {}
    for gram, kinds in counts.items():
        total = sum(kinds.values()) + DOUBT
        shares = ((kind, (count + DOUBT * CHANCE) / total - CHANCE) for kind, count in kinds.items())
        found[gram] = tuple((kind, share) for kind, share in shares if share > 0)
    return found


def lean(table: Leanings, tokens: Sequence[str]) -> dict[str, float]:
    """Kind → sum over the words of a message."""
    sums: dict[str, float] = defaultdict(float)
    known = [*filter(None, map(table.get, grams(tokens[:MOST_WORDS])))]
    for found in known:
        for kind, share in found:
            sums[kind] += share
    if len(known) > ENOUGH:
        return {kind: value * ENOUGH / len(known) for kind, value in sums.items()}
    return sums

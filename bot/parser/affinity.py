"""Which kind of question single words lean to, derived from the phrases of all kinds.

A phrase is only found word by word; people put the same words in many more ways. A word or pair of words that stands in
the phrases of one kind and hardly in those of others leans to that kind. No list of its own: whoever adds a phrase to
phrases.yaml teaches these too.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from bot.parser.findings import Target
from bot.parser.signs import NUMBER, Gram, grams
from knowledge.names import name_tokens

CHANCE = 0.1
"""Share of a kind that a word has by chance."""
DOUBT = 4.0
"""Phrases that a word must stand in before its share is half believed."""
FULL_WEIGHT = 6.0
"""A phrase of this weight counts once, a weaker one in proportion."""

Leanings = Mapping[Gram, Mapping[str, float]]
"""Word or pair of words → kind → how much it leans to it, 0 to 1."""


def leanings(targets: Iterable[Target]) -> Leanings:
    """From the phrases of all kinds."""
    counts: dict[Gram, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for target in targets:
        plain = " ".join(word for word in target.phrase.split() if word[0] not in "{<&.")
        for gram in grams([NUMBER if word[0].isdigit() else word for word in name_tokens(plain)]):
            counts[gram][target.name] += min(1.0, target.value / FULL_WEIGHT)
    found: dict[Gram, dict[str, float]] = {}
    for gram, kinds in counts.items():
        total = sum(kinds.values()) + DOUBT
        shares = ((kind, (count + DOUBT * CHANCE) / total - CHANCE) for kind, count in kinds.items())
        found[gram] = {kind: share for kind, share in shares if share > 0}
    return found

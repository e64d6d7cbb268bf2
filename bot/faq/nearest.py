"""Which entry a plain question is nearest to: one without a set-up of its own, in whatever words it is put.

An entry is known by all the words of its `asks` together: it must know most of what the question says, and one of its
phrases must be near. Of those the one whose words and phrase together explain most is it.
"""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.faq.matching import Asked, Index

KNOWN = 0.6
"""Share of the question that the words of an entry must explain."""
KNOWN_BESIDE = 0.75
"""The same where the question has a word that no entry knows: what else is known must nearly be all."""
NEAR = 0.38
"""How near its nearest phrase must be: the harmonic mean of what is said of the phrase and of the question."""
SHARED = 1.8
"""So much of the phrase must be shared: common words alone name no topic."""
TOGETHER = 1.5
"""What the words of an entry count beside its nearest phrase."""
ASKED_ALIKE = 0.05
STRANGE = 2.4
"""What a word counts that no entry knows: most often it is what the question is about."""
ALL = 0.95
"""The same share where nothing else shows that the question is ours."""
COMMON = 20
"""A word of so many entries is one of our field: model, card, training."""
CLOSE = 0.75
"""Below this nearness an answer says that its page is only the nearest one."""
ANY_NUMBER = 0.2
"""What any number explains: that some number is asked about, no more."""
UNKNOWN_NUMBER = 1.8
"""What speaks against an entry that is about no number, where one is asked about."""
ROUNDING = 1e-9
FEW = 8
"""So many entries are kept as a tuple, which is small; more as a set."""
NUMBER = "#"
"""Any plain number: "are 3 epochs too many" is asked with 5 as well."""


@dataclass(frozen=True)
class Near:
    """The nearest entry, and whether it is close enough to be taken for what was asked."""

    id: str
    close: bool


class Nearest:
    """The entries of a language by the words of all their phrases."""

    def __init__(self, index: "Index") -> None:
        self.index = index
        knowing: defaultdict[str, set[str]] = defaultdict(set)
        self.places: dict[str, range] = {}
        """Entry → its phrases, which stand side by side."""
        for place, (entry, phrase) in enumerate(zip(index.entries, index.phrases, strict=True)):
            begin = self.places[entry].start if entry in self.places else place
            self.places[entry] = range(begin, place + 1)
            for word in phrase:
                knowing[word].add(entry)
        same: dict[tuple[str, ...], tuple[str, ...]] = {}
        self.knowing: dict[str, Collection[str]] = {
            word: frozenset(entries) if len(entries) > FEW else same.setdefault(few := tuple(sorted(entries)), few)
            for word, entries in knowing.items()
        }
        """Word → entries whose phrases have it."""
        self.numbered = self.knowing.get(NUMBER, ())

    def best(self, asked: "Asked", *, ours: bool = True) -> Near | None:
        """The nearest entry, None where none is near. Not `ours`, and no word of our field: only one that knows all."""
        weight, knowing = self.index.weight, self.knowing
        words = asked.words - {NUMBER}
        costs = {word: weight.get(word, STRANGE) for word in words}
        known = {word: cost for word, cost in costs.items() if word in knowing}
        least = KNOWN if len(known) == len(words) else KNOWN_BESIDE
        if not ours and not any(len(knowing[word]) >= COMMON for word in known):
            least = ALL
        numbered = NUMBER in asked.words
        if numbered:
            costs[NUMBER] = ANY_NUMBER
        text = sum(costs.values())
        found = []
        for entry in self._candidates(known, least * text):
            whole = text + (UNKNOWN_NUMBER if numbered and entry not in self.numbered else 0)
            explained = sum([cost for word, cost in known.items() if entry in knowing[word]])
            if explained >= least * whole and (near := self._nearness(entry, asked, costs, whole)) > 0:
                found.append((near + TOGETHER * explained / whole, entry, near))
        if not found:
            return None
        _, entry, near = max(found)
        return Near(entry, near >= CLOSE)

    def _candidates(self, known: dict[str, float], least: float) -> set[str]:
        """The entries that may explain so much: those with one of the rarest words, without which none does."""
        found: set[str] = set()
        rest = sum(known.values())
        for word in sorted(known, key=known.__getitem__, reverse=True):
            if rest < least - ROUNDING:
                break
            found.update(self.knowing[word])
            rest -= known[word]
        return found

    def _nearness(self, entry: str, asked: "Asked", costs: dict[str, float], text: float) -> float:
        """How near the nearest phrase of an entry is, 0 where none is near enough."""
        index, nearest = self.index, 0.0
        for place in self.places[entry]:
            phrase = index.phrases[place]
            both = [word for word in phrase if word in costs]
            shared = sum([index.weight[word] for word in both])
            if shared < SHARED and not len(both) == len(phrase) == len(costs):
                continue
            said, explained = shared / index.totals[place], sum([costs[word] for word in both]) / text
            near = 2 * said * explained / (said + explained) if both else 0.0
            if near >= NEAR:
                nearest = max(nearest, near + ASKED_ALIKE * len(index.askings[place] & asked.asking))
        return nearest

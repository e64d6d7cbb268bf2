"""Cards as people write them: counts before, after and in words, memory beside the name, nameless cards, totals.

Every card mention is read where it stands; then the message's mentions are put together: hearsay and offers are left
out when the asker has cards of their own, a total names a count or a memory, a memory size picks the catalog's row.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from bot.parser.grammar import Findings, Grammar
from bot.parser.numbers import MEMORY, PLAIN, Number, read_number
from bot.parser.text import BRACKET, COMMA, GLUED, JOINED, STOP, Message
from knowledge.catalog import load_catalog
from knowledge.language import shared_phrases
from knowledge.names import NameIndex, Trie, name_tokens

RELATIVE = "relative:"
"""Marks a card that exists and has no row in the catalog: any/phrases.yaml, `relatives`."""
ONE_NEVER_KNOWS = frozenset({"Google Colab", "Kaggle"})
"""Providers whose name alone does not say which card one gets: theirs is assumed."""
MOST_CARDS = 20_000
MAKERS = frozenset({"rtx", "gtx", "rx", "geforce", "radeon", "quadro", "tesla", "nvidia", "arc"})
SUFFIXES = frozenset({"ti", "super", "xt", "xtx", "gre", "ada", "d"})
"""Words after a card's name that make another card of it: unless the catalog has that one, the card does not exist."""
LAPTOP = frozenset({"laptop", "mobile", "notebook"})
VRAM_SIZES = frozenset({2, 3, 4, 6, 8, 10, 11, 12, 16, 20, 22, 24, 32, 36, 40, 48, 64, 72, 80, 94, 96, 128, 141, 180, 192})
SAME = 0.06
"""A stated memory this close to the catalog's is the same card: 15 of a T4's 16, 47.5 of an A6000's 48."""


@dataclass(slots=True)
class Card:
    """A card mention at tokens[start:end]. `gpu` is a catalog id, None for "a 24 GB card"; vram_gb only when stated."""

    start: int
    end: int
    gpu: str | None = None
    name: str = ""
    count: int = 1
    counted: bool = False
    vram_gb: float | None = None
    choices: tuple[str, ...] = ()
    missing: str = ""
    """What was written, when the catalog has no such card."""
    nearest: tuple[str, ...] = ()
    another: bool = False
    own_vram: float | None = None
    """GB of a card that has no row of its own."""


@dataclass(slots=True)
class Cards:
    """What a message says about cards."""

    cards: list[Card] = field(default_factory=list)
    groups: list[list[Card]] = field(default_factory=list)
    """Alternatives: each entry is one set-up to compare."""
    total_gb: float | None = None
    ram_gb: float | None = None
    rented_ram_gb: float | None = None
    odd: bool = False
    """A card with a memory that it is not sold with."""
    assumed: bool = False


@dataclass(slots=True)
class Shelf:
    """The catalog's cards by name, with the rows that share one."""

    index: NameIndex
    gpus: Mapping[str, Any]
    twins: Mapping[str, tuple[str, ...]]
    undecided: Mapping[tuple[str, ...], Any]
    laptops: Mapping[str, str]
    instances: Trie
    """Names of rented machines and notebooks → what they hold."""


_FORM = frozenset({"geforce", "tesla", "nvidia", "amd", "radeon", "instinct", "quadro", "apple", "intel", "gb", "laptop", "gpu", "generation", "edition", "workstation", "modified"})


@cache
def shelf() -> Shelf:
    """Built once from the catalog."""
    catalog = load_catalog()
    index = NameIndex()
    for gpu in catalog.gpus.values():
        index.add("gpu", gpu.id, (gpu.name, gpu.id, *gpu.aliases))
    for gpu in catalog.gpus.values():
        tokens = [t for t in name_tokens(gpu.name) if t not in ("geforce", "tesla", "nvidia", "radeon", "instinct")]
        index.add("gpu", gpu.id, (" ".join(tokens), *("rtx " + alias for alias in gpu.aliases if alias[:1].isdigit()), *("rx " + alias for alias in gpu.aliases if alias[:1].isdigit())))
        index.add("gpu", gpu.id, ["nvidia " + alias for alias in gpu.aliases] + ["tesla " + alias for alias in gpu.aliases if gpu.segment == "datacenter"])
    for entry in catalog.ambiguities:
        if entry.catalog == "gpus":
            index.add("gpu", entry.default or entry.candidates[0], [maker + entry.alias for maker in ("", "rtx ", "nvidia ", "rx ", "tesla ", "geforce ")])
    for name, relative in shared_phrases()["relatives"].items():
        index.add("gpu", RELATIVE + name, (name, *relative["also"]))
    twins: dict[str, list[str]] = defaultdict(list)
    laptops = {}
    for gpu in catalog.gpus.values():
        twins[_model_name(gpu)].append(gpu.id)
    for gpu in catalog.gpus.values():
        if gpu.segment == "laptop":
            for other in twins[_model_name(gpu)]:
                laptops.setdefault(other, gpu.id)
    same = {gpu_id: tuple(ids) for ids in twins.values() for gpu_id in ids}
    undecided = {name_tokens(entry.alias): entry for entry in catalog.ambiguities if entry.catalog == "gpus"}
    instances = Trie()
    for instance in catalog.instances.values():
        for written in (instance.id, *instance.aliases):
            instances.add(name_tokens(written), instance)
    return Shelf(index, catalog.gpus, same, undecided, laptops, instances)


def _model_name(gpu: Any) -> str:
    """The name without maker, memory size and form: what twins share."""
    tokens = name_tokens(gpu.name)
    kept = [
        token for place, token in enumerate(tokens)
        if token not in _FORM and not (place + 1 < len(tokens) and tokens[place + 1] == "gb") and not token.startswith(("sxm", "pcie", "nvl"))
    ]  # fmt: skip
    return " ".join(token for token in kept if token not in ("5",) or "rtx" in kept)


class CardReader:
    """Reads the cards of one message."""

    def __init__(self, message: Message, numbers: Mapping[int, Number], findings: Findings, grammar: Grammar, german: bool) -> None:
        self.message, self.numbers, self.findings, self.grammar, self.german = message, numbers, findings, grammar, german
        self.lists = grammar.lists
        self.card_words = self.lists["card"]
        self.counts = self.lists["count"]
        self.found: list[Card] = []
        self.memory_used: set[int] = set()
        self.totals: list[float] = []
        self.ram: list[float] = []
        self.rented: list[tuple[int, int, Any]] = []
        self.clauses: Any = None

    def names(self) -> None:
        """Finds the named cards. Before model names and phrases, because a card's number is nobody's length."""
        message, book = self.message, shelf()
        root, rented = book.index.trie.root, book.instances.root
        at, size = 0, len(message.tokens)
        while at < size:
            if message.tokens[at] in rented:
                found = book.instances.find(message.tokens, at)
                if found is not None:
                    self.rented.append((at, found[0], found[1]))
                    if not any(message.tokens[place] in root for place in range(at + 1, found[0])):
                        message.take(at, found[0])
                        at = found[0]
                        continue
            if message.tokens[at] in root and not message.taken[at]:
                card = self._named(book, at)
                if card is not None:
                    self.found.append(card)
                    message.take(card.start, card.end)
                    at = card.end
                    continue
            if message.tokens[at] in MAKERS and at + 1 < size and not message.taken[at]:
                card = self._unknown(book, at)
                if card is not None:
                    self.found.append(card)
                    message.take(card.start, card.end)
                    at = card.end
                    continue
            at += 1

    def _unknown(self, book: Shelf, at: int) -> Card | None:
        """ "rtx 3909": a maker's word and a number that no card has. Named as unknown with its neighbours, never corrected."""
        message, tokens = self.message, self.message.tokens
        end = at + 1
        while end < len(tokens) and tokens[end] in MAKERS and message.parts[end] <= JOINED:
            end += 1
        if end >= len(tokens) or message.parts[end] > JOINED or not any(letter.isdigit() for letter in tokens[end]) or not 3 <= len(tokens[end]) <= 6:
            return None
        if end + 1 < len(tokens) and tokens[end + 1] in ("gb", "g", "gib", "b") and message.parts[end + 1] <= JOINED and len(tokens[end]) < 4:
            return None
        end += 1
        while end < len(tokens) and tokens[end] in SUFFIXES | LAPTOP and message.parts[end] <= JOINED:
            end += 1
        written = " ".join(tokens[at:end])
        return Card(at, end, name=written.upper(), missing=written, nearest=book.index.nearest(written, 3, "gpu", least=60.0))

    def _named(self, book: Shelf, at: int) -> Card | None:
        message = self.message
        tokens, parts = message.tokens, message.parts
        node: Any = book.index.trie.root
        end, gpu_id = at, None
        for place in range(at, min(len(tokens), at + 10)):
            if place > at and parts[place] > BRACKET:
                break
            node = node.get(tokens[place])
            if node is None:
                break
            if "" in node:
                end, gpu_id = place + 1, node[""][1]
        if gpu_id is None:
            return None
        bare = end == at + 1
        if bare and not self._is_card_number(at):
            return None
        if tokens[end - 1] in ("gb", "g", "gib") and end - at > 2 and tokens[end - 2].isdigit():
            number = self.numbers.get(end - 2)
            shorter = book.index.trie.find(tokens[: end - 2], at)
            if number is not None and shorter is not None and (self._is_total(number) or (parts[end - 2] == BRACKET and (self._count_before(at, take=False) or 1) > 1)):
                end, gpu_id = shorter[0], shorter[1][1]
        if tokens[end - 1] in ("gb", "g", "gib") and end - at > 2:
            vram = float(tokens[end - 2]) if tokens[end - 2].isdigit() else None
        else:
            vram = None
        entry = book.undecided.get(tuple(tokens[at:end])) or book.undecided.get(tuple(t for t in tokens[at:end] if t not in ("rtx", "nvidia", "geforce", "tesla", "rx")))
        choices: tuple[str, ...] = tuple(entry.candidates) if entry is not None else book.twins.get(gpu_id, ())
        if gpu_id.startswith(RELATIVE):
            return self._relative(at, end, gpu_id.removeprefix(RELATIVE))
        card = Card(at, end, gpu_id, vram_gb=vram, choices=choices if not vram else ())
        if entry is not None and not entry.default:
            card.gpu = None
            card.missing = " ".join(tokens[at:end])
            card.nearest = tuple(entry.candidates)
        self._suffix(book, card)
        return card

    def _relative(self, at: int, end: int, name: str) -> Card:
        """A card without a row of its own: the same chip's row where there is one, and its own name and memory."""
        relative = shared_phrases()["relatives"][name]
        gpu_id = relative.get("gpu") or None
        vram = float(relative["vram_gb"]) if relative.get("vram_gb") else None
        card = Card(at, end, gpu_id, name=name, own_vram=vram)
        if gpu_id is None:
            card.missing = name
            card.nearest = shelf().index.nearest(name, 3, "gpu", least=60.0)
        return card

    def _is_card_number(self, at: int) -> bool:
        """Whether a bare name such as 3090, 6800, m4 or l4 stands for a card here."""
        message = self.message
        token = message.tokens[at]
        following = message.tokens[at + 1] if at + 1 < len(message.tokens) else ""
        glued_after = at + 1 < len(message.tokens) and message.parts[at + 1] == GLUED
        if at and message.parts[at] == GLUED and message.tokens[at - 1] not in ("x", "rtx", "gtx", "rx", "rts") and message.tokens[at - 1][-1].isalpha():
            return message.gaps[at] != "" or not message.tokens[at - 1].isascii()
        if token[0].isdigit():
            if glued_after and following in ("k", "m", "b", "gb", "g", "tokens", "w", "p", "hz", "mhz"):
                return False
            if at and message.gaps[at][-1:] in ("$", "€", "£") or following in ("tokens", "token", "steps", "rows", "examples", "samples", "usd", "eur", "euro", "dollars", "ctx", "context", "lines", "mb"):
                return False
            return not (at and message.tokens[at - 1] in ("len", "length", "ctx", "context", "cutoff", "seq", "tokens", "step", "steps", "issue", "port", "ryzen", "i5", "i7", "i9", "xeon", "epyc"))
        if token in ("spark", "thor", "titan", "xtx", "g5"):
            near = message.tokens[max(0, at - 3) : at + 4]
            return {"spark": ("dgx", "nvidia", "gb10"), "thor": ("jetson", "agx"), "titan": ("rtx", "v", "xp"), "xtx": ("7900",), "g5": ("aws", "instance")}[token][0] in near
        if token[0] == "m" and token[1:].isdigit():
            return not (glued_after and following not in ("pro", "max", "ultra")) and following != "2"
        return not (glued_after and following in ("b", "m") and token[1:].isdigit())

    def _suffix(self, book: Shelf, card: Card) -> None:
        """ "4090 super": a word that makes another card, one that the catalog does not have."""
        message = self.message
        end = card.end
        if end >= len(message.tokens) or message.parts[end] > JOINED or card.gpu is None:
            return
        word = message.tokens[end]
        if word in LAPTOP or (word == "m" and message.parts[end] == GLUED):
            laptop = book.laptops.get(card.gpu)
            if laptop:
                card.gpu, card.end, card.choices = laptop, end + 1, ()
            return
        if word == "max" and end + 1 < len(message.tokens) and message.tokens[end + 1] == "q":
            card.end = end + 2
            return
        if word in SUFFIXES and (word != "d" or message.parts[end] == GLUED):
            if book.gpus[card.gpu].segment not in ("consumer", "workstation", "laptop"):
                return
            card.missing = " ".join(message.tokens[card.start : end + 1])
            card.nearest = book.index.nearest(card.missing, 3, "gpu", least=60.0) or (card.gpu,)
            card.name, card.gpu, card.end, card.choices = card.missing.upper(), None, end + 1, ()

    def settle(self) -> Cards:
        """Counts, memory, totals, nameless cards; then all together."""
        for card in self.found:
            self._memory_before(card)
            self._count_beside(card)
            self._memory_beside(card)
        self._ram_by_wording()
        self._nameless()
        self._total()
        cards = _together(self)
        if not any(card.gpu or card.missing for card in cards.cards):
            self._rented_cards(cards)
        return cards

    def went_wrong(self, card: Card) -> int:
        """1 where a card's part of the message tells of failure, else 0."""
        return int(self.clauses is not None and self.clauses.of(card.start) in self.clauses.bad)

    def _rented_cards(self, cards: Cards) -> None:
        """ "g5.12xlarge", "colab": the cards of a rented machine, when no card is named."""
        for start, _, instance in self.rented[:1]:
            gpu = shelf().gpus.get(instance.gpu)
            if gpu is None:
                continue
            count = self._count_before(start) or 1
            vram = next((card.vram_gb for card in cards.cards if card.vram_gb), None)
            if vram is not None and abs(vram - gpu.vram_gb) > 0.1 * gpu.vram_gb:
                return
            total = int(min(MOST_CARDS, instance.count * max(1, count)))
            cards.cards = [Card(start, start + 1, gpu.id, shown_name(gpu), total, counted=True)]
            cards.assumed = instance.provider in ONE_NEVER_KNOWS
            cards.rented_ram_gb = instance.ram_gb

    # memory ---------------------------------------------------------------------------------------------------

    def _memory_before(self, card: Card) -> None:
        """ "24g 3090", "8x80G A100": taken first, because a count stands before it."""
        if card.vram_gb is not None:
            return
        number = self._number_ending(card.start)
        if number is None and card.start and self.message.tokens[card.start - 1] in BEFORE_NAME:
            number = self._number_ending(card.start - 1)
        if number is None or number.unit != MEMORY or self.message.parts[card.start] > BRACKET:
            return
        if self._belongs_before(number) or self._is_ram(number) or not self._plausible(card, number):
            return
        self._give(card, number)

    def _give(self, card: Card, number: Number) -> None:
        self.memory_used.add(number.start)
        card.vram_gb = number.value
        card.start, card.end = min(card.start, number.start), max(card.end, number.end)
        self.message.take(number.start, number.end)

    def _memory_beside(self, card: Card) -> None:
        """ "3090 24GB", "24g 3090", "A100-80G", "T4 (14.75 GiB)", "P40/24GB/", "two T4 w/ 16GB VRAM each"."""
        if card.vram_gb is not None:
            self._pick(card)
            return
        for number in self._memory_near(card):
            if number.start in self.memory_used or self._is_ram(number) or not 1.5 <= number.value <= 600:
                continue
            if not self._plausible(card, number) or self._sum_of(card, number):
                continue
            self._give(card, number)
            self._skip_vram_word(card)
            break
        self._pick(card)

    def _skip_vram_word(self, card: Card) -> None:
        message = self.message
        while card.end < len(message.tokens) and message.parts[card.end] <= JOINED and (message.tokens[card.end] in self.lists["vram"] or message.tokens[card.end] in LAPTOP or message.tokens[card.end] in ("存",)):
            card.end += 1

    def _memory_near(self, card: Card) -> list[Number]:
        message, near = self.message, []
        place = card.end
        for _ in range(4):
            if place >= len(message.tokens) or message.parts[place] >= STOP:
                break
            number = self.numbers.get(place)
            if number is not None:
                if number.unit == MEMORY:
                    near.append(number)
                elif number.unit == PLAIN and number.value in (40, 80, 24, 16, 48, 8, 12, 32) and message.parts[place] <= JOINED and place == card.end and "/" not in message.gaps[place] and card.choices and not self._word_after(number, ("x", "gb")) and any(shelf().gpus[c].vram_gb == number.value for c in card.choices if c in shelf().gpus):
                    near.append(number)
                break
            if message.tokens[place] not in ("with", "w", "s", "mit", "a", "je", "zu", "à", "sxm", "pcie", "nvidia", "laptop", "gpu", "gpus", "card", "cards", "having", "of", "has", "has", "ti", "with", "c", "con", "com", "avec", "на", "each", "karte", "karten", "hat", "4", "显", "存", "卡", "er", "single"):
                break
            place += 1
        return near

    def _sum_of(self, card: Card, number: Number) -> bool:
        """ "2x 3090 (48gb)" is what both have together."""
        if card.count < 2 or card.gpu not in shelf().gpus:
            return False
        if abs(card.count * shelf().gpus[card.gpu].vram_gb - number.value) <= 0.05 * number.value:
            self.totals.append(number.value)
            self.memory_used.add(number.start)
            return True
        return False

    def _word_after(self, number: Number, words: Sequence[str]) -> bool:
        return number.end < len(self.message.tokens) and self.message.tokens[number.end] in words

    def _number_ending(self, place: int) -> Number | None:
        for back in (1, 2):
            number = self.numbers.get(place - back)
            if number is not None and number.end == place:
                return number
        return None

    def _belongs_before(self, number: Number) -> bool:
        """Whether an amount that stands before a card belongs to what is before it: "3090 24g and 4090"."""
        return any(card.end == number.start for card in self.found)

    def _plausible(self, card: Card, number: Number) -> bool:
        """An amount after a card is its memory unless it is what a run takes: "4090 uses 18 GB", "on 3090 22.7 GB"."""
        near = self._before(number.start, 3)
        if any(word in USAGE for word in near) and number.start > card.end:
            return False
        if self._is_total(number):
            return False
        if card.own_vram is not None and abs(number.value - card.own_vram) > SAME * card.own_vram and number.value not in VRAM_SIZES:
            return False
        known = [shelf().gpus[g].vram_gb for g in {card.gpu, *card.choices} if g in shelf().gpus]
        if any(abs(number.value - vram) <= SAME * vram or vram * 0.9 <= number.value <= vram for vram in known):
            return True
        options = shelf().gpus[card.gpu].memory_options_gb if card.gpu in shelf().gpus else None
        if options:
            return True
        return number.value == int(number.value) and number.value in VRAM_SIZES | {9, 14, 44, 45, 46, 47, 50, 79, 256, 288, 384, 512}

    def _before(self, place: int, reach: int) -> list[str]:
        words = []
        for at in range(place - 1, max(-1, place - 1 - reach), -1):
            words.append(self.message.tokens[at])
            if self.message.parts[at + 1] >= STOP:
                break
        return words

    def _pick(self, card: Card) -> None:
        """The row of that memory size among those that share the name."""
        book = shelf()
        if card.vram_gb is None or (card.gpu is None and not card.nearest):
            return
        choices = [g for g in (card.choices or card.nearest or ()) if g in book.gpus]
        own = [card.gpu] if card.gpu else []
        for gpu_id in [*own, *choices]:
            vram = book.gpus[gpu_id].vram_gb
            if abs(card.vram_gb - vram) <= SAME * vram or vram * 0.87 <= card.vram_gb <= vram:
                card.gpu, card.missing, card.nearest = gpu_id, "", ()
                card.choices = ()
                return

    # counts ---------------------------------------------------------------------------------------------------

    def _count_beside(self, card: Card) -> None:
        count = self._count_before(card.start)
        if count is None:
            count = self._count_after(card)
        if count is not None and 1 <= count <= MOST_CARDS:
            card.count, card.counted = int(count), not card.another
            card.count = int(min(MOST_CARDS, card.count * self._nodes(card)))

    def _count_before(self, start: int, take: bool = True) -> float | None:
        """ "2x", "2 x", "2*", "two", "dual", "4 (four)", "8张", "eine", "a second" right before a card."""
        message, tokens = self.message, self.message.tokens
        place = start - 1
        for _ in range(5):
            if place < 0 or message.parts[place + 1] >= COMMA:
                return None
            token = tokens[place]
            if token in ("x", "х") or token in ADJECTIVES or (token in self.card_words and token not in ("graphics",)):
                place -= 1
                continue
            if token in self.counts:
                return float(self.counts[token])
            if token in self.lists.get("second", {}):
                for card in self.found:
                    if card.start <= start < card.end:
                        card.another = True
                return 1.0
            number = self._number_ending(place + 1)
            if number is None or number.unit != PLAIN or number.value != int(number.value) or not 1 <= number.value <= 4096:
                return None
            if message.taken[number.start] and not self._free(number):
                return None
            if message.gaps[number.end] == "-" or message.gaps[number.start][-1:] in ("+", "-"):
                return None
            if message.gaps[number.start][-1:] in ("$", "€", ":", "=") and message.gaps[number.start].strip() == ":":
                return None
            if number.start and tokens[number.start - 1] in NOT_COUNTS and message.parts[number.start] <= JOINED:
                return None
            if take:
                message.take(number.start, number.end)
            return number.value
        return None

    def _free(self, number: Number) -> bool:
        return not any(card.start <= number.start < card.end for card in self.found)

    def _count_after(self, card: Card) -> float | None:
        """ "T4 x2", "3090*1", "A100 x 8", "3090 (2)", "cards ... (10 pieces)"."""
        message, tokens = self.message, self.message.tokens
        place = card.end
        if place < len(tokens) and tokens[place] == "s" and message.parts[place] == GLUED:
            place += 1
        if place >= len(tokens) or message.parts[place] >= STOP:
            return None
        if tokens[place] == "x" and place + 1 < len(tokens) and message.parts[place + 1] <= JOINED:
            number = self.numbers.get(place + 1)
            if number is not None and number.unit == PLAIN and number.value <= 4096 and not self._followed_by_card(number):
                message.take(place, number.end)
                return number.value
            return None
        gap = message.gaps[place].strip()
        number = self.numbers.get(place)
        if number is not None and number.unit == PLAIN and number.end < len(tokens) and tokens[number.end] == "x":
            memory = self.numbers.get(number.end + 1)
            if memory is not None and memory.unit == MEMORY and message.parts[place] <= BRACKET:
                if card.vram_gb is None and self._plausible(card, memory):
                    self._give(card, memory)
                message.take(number.start, memory.end)
                return number.value
        if number is not None and number.unit == PLAIN and message.gaps[number.end].strip() == "*":
            memory = self.numbers.get(number.end)
            if memory is not None and memory.unit == MEMORY:
                if card.vram_gb is None and self._plausible(card, memory):
                    self._give(card, memory)
                message.take(number.start, memory.end)
                return number.value
        if number is not None and gap == "(" and number.unit == PLAIN and card.gpu in shelf().gpus and number.value == shelf().gpus[card.gpu].vram_gb:
            return None
        if number is not None and number.unit == PLAIN and number.value <= 4096 and number.end < len(tokens) and tokens[number.end] in self.lists["measure"] and message.parts[number.end] <= JOINED:
            message.take(number.start, number.end)
            return number.value
        if number is not None and number.unit == PLAIN and number.value <= 4096 and (gap in ("*", "(x", "×", "(") or "*" in gap) and not self._followed_by_card(number):
            message.take(place, number.end)
            return number.value
        for ahead in range(place, min(len(tokens), place + 9)):
            if tokens[ahead] in ("pieces", "stück", "pcs", "pieces)") and ahead:
                number = self._number_ending(ahead)
                if number is not None and number.unit == PLAIN:
                    return number.value
        return None

    def _followed_by_card(self, number: Number) -> bool:
        return any(card.start <= number.end + 1 <= card.end and number.end <= card.start + 1 for card in self.found if card.start >= number.end)

    def _nodes(self, card: Card) -> float:
        """ "3 nodes x 8 x A100", "zwei Rechnern zu je 8x A100", "one 8xA100 server ..., TWO servers": how many machines."""
        message, tokens = self.message, self.message.tokens
        nodes = self.lists["node"]
        place = card.start - 1
        seen_number = 0
        for _ in range(10):
            if place < 0 or message.parts[place + 1] >= STOP:
                break
            if tokens[place] in nodes:
                if not seen_number:
                    break
                return self._machines(place)
            if tokens[place][0].isdigit():
                seen_number += 1
                if seen_number > 1:
                    break
            elif tokens[place] not in ("x", "each", "with", "je", "zu", "mit", "à", "a", "of", "having", "per", "w", "nvidia", "tesla", "von", "jeweils", "pro", "每") and tokens[place] not in self.card_words and tokens[place] not in self.counts:
                break
            place -= 1
        follows = card.end
        if follows < len(tokens) and tokens[follows] in nodes and message.parts[follows] <= JOINED and tokens[follows] not in ("nodes",):
            most = [self._machines(p) for p in range(len(tokens)) if tokens[p] in nodes]
            return max(most, default=1.0)
        return 1.0

    def _machines(self, place: int) -> float:
        tokens = self.message.tokens
        if place and tokens[place - 1] in self.counts:
            return float(self.counts[tokens[place - 1]])
        number = self._number_ending(place)
        if number is not None and number.unit == PLAIN and 1 <= number.value <= 1000 and self._free(number):
            self.message.take(number.start, place)
            return number.value
        return 1.0

    # memory without a name ------------------------------------------------------------------------------------

    def _is_ram(self, number: Number) -> bool:
        """By wording: "64GB RAM", "RAM: 64 GB", "内存 64G"; "memory" only when it says whose."""
        message, tokens = self.message, self.message.tokens
        ram, memory = self.lists["ram"], self.lists["memory"]
        if number.start and message.parts[number.start] <= JOINED and (tokens[number.start - 1] in self.lists["vram"] or tokens[max(0, number.start - 2) : number.start] == ["显", "存"]):
            return False
        place = number.end
        for step in range(3):
            if place >= len(tokens) or message.parts[place] >= COMMA:
                break
            word = tokens[place]
            if word in self.lists["vram"] or word in ("video", "gpu", "graphics", "unified", "vram"):
                return False
            if word in ram:
                return True
            if word in ("cpu", "host", "system", "sys", "main") and place + 1 < len(tokens) and (tokens[place + 1] in memory or tokens[place + 1] in ram or tokens[place + 1] == "mem"):
                return True
            if step == 0 and word in ("of", "de", "di", "an", "total", "sys", "system", "cpu", "free", "usable", "main", "s"):
                place += 1
                continue
            break
        if number.start and message.parts[number.start] < COMMA:
            before = tokens[number.start - 1]
            if before in ram and before != "显" and not (number.start > 1 and tokens[number.start - 2] in ("gpu", "video")):
                return not self._number_ending(number.start - 1)
            if before == "存" and number.start > 1 and tokens[number.start - 2] == "内":
                return True
        return False

    def _ram_by_wording(self) -> None:
        """ "64GB RAM", "85 RAM", "1.2T memory" beside cards that have their own."""
        message, tokens = self.message, self.message.tokens
        for number in list(self.numbers.values()):
            if number.start in self.memory_used or number.unit not in (MEMORY, PLAIN):
                continue
            if number.unit == PLAIN and not (number.end < len(tokens) and tokens[number.end] == "ram" and message.parts[number.end] <= JOINED and number.value >= 4):
                continue
            if message.taken[number.start] and any(c.start <= number.start < c.end for c in self.found):
                continue
            if self._is_ram(number) and not self._usage_before(number):
                self.ram.append(number.value)
                self.memory_used.add(number.start)
                message.take(number.start, number.end)
            elif number.unit == MEMORY and self._memory_word(number) and (number.value > 300 or (self.found and number.value >= 64 and not self._usage_before(number) and number.value > max((shelf().gpus[c.gpu].vram_gb for c in self.found if c.gpu in shelf().gpus), default=0))) and not self._is_total(number):
                self.ram.append(number.value)
                self.memory_used.add(number.start)
                message.take(number.start, number.end)

    def _usage_before(self, number: Number) -> bool:
        return any(word in ("used", "uses", "using", "takes", "eats", "mentions", "needs") for word in self._before(number.start, 2))

    def _memory_word(self, number: Number) -> bool:
        return number.end < len(self.message.tokens) and self.message.tokens[number.end] in self.lists["memory"] and self.message.parts[number.end] <= JOINED

    def _is_total(self, number: Number) -> bool:
        message, tokens = self.message, self.message.tokens
        total = self.lists["total"]
        if message.gaps[number.start].strip() in ("=", "->", "=>") or message.gaps[number.start].strip()[:1] == "=":
            return True
        if number.start and tokens[number.start - 1] in total:
            return True
        place = number.end
        for _ in range(3):
            if place >= len(tokens) or message.parts[place] >= COMMA:
                return False
            if tokens[place] in total:
                return True
            if tokens[place] not in ("in", "vram", "gpu", "of", "an", "memory", "im", "als"):
                return False
            place += 1
        return False

    def _nameless(self) -> None:
        """ "8x48GB", "two 24gb gpus", "a 24er Karte", "16gb vram", "8 cards": cards of which only the memory or count is said."""
        message, tokens = self.message, self.message.tokens
        named = [card for card in self.found if card.gpu or card.missing]
        for number in self.numbers.values():
            if number.start in self.memory_used:
                continue
            if number.unit == MEMORY:
                if self._is_total(number):
                    if not (message.taken[number.start] and any(c.start <= number.start < c.end for c in named)):
                        self.totals.append(number.value)
                        self.memory_used.add(number.start)
                    continue
                self._memory_card(number, bool(named))
            elif number.unit == PLAIN and not named:
                self._count_card(number)
        if not self.found and not named:
            self._counted_in_words()

    def _memory_card(self, number: Number, named: bool) -> None:
        message, tokens = self.message, self.message.tokens
        if number.value > 300 or number.value < 2 or message.taken[number.start]:
            return
        end = number.end
        is_card = False
        if number.value != int(number.value) and not (end < len(tokens) and tokens[end] in self.lists["vram"]):
            return
        place = end
        for _ in range(4):
            if place >= len(tokens) or message.parts[place] >= COMMA:
                break
            word = tokens[place]
            if word in self.lists["vram"] or word in self.card_words or word in ("slice", "mig", "accelerator"):
                is_card, end = True, place + 1
                break
            if word not in ("of", "nvidia", "gpu", "an", "single", "显", "video", "graphics", "s", "er", "consumer", "de", "di", "each", "gaming"):
                break
            place += 1
        before = tokens[number.start - 1] if number.start else ""
        if before in self.lists["vram"] or (before in ("存",) and number.start > 1 and tokens[number.start - 2] == "显"):
            is_card = True
        if number.start and before in self.card_words and message.parts[number.start] <= BRACKET:
            is_card = True
        count = self._count_before(number.start) if not self._usage_before(number) else None
        times = count is not None and count > 1 and number.start > 0 and (before == "x" or "*" in message.gaps[number.start] or is_card or number.value in VRAM_SIZES)
        if not is_card and not times:
            if named or not self._bare_is_card(number):
                return
        if named:
            return
        if is_card and not times and any(w in USAGE for w in self._before(number.start, 1)) and not any(word in self.card_words for word in tokens[number.end : number.end + 2]):
            return
        card = Card(number.start, end, vram_gb=number.value)
        if count is not None and count <= MOST_CARDS:
            card.count, card.counted = int(count), True
            card.count = int(min(MOST_CARDS, card.count * self._nodes(card)))
        self.memory_used.add(number.start)
        message.take(number.start, number.end)
        self.found.append(card)

    def _bare_is_card(self, number: Number) -> bool:
        """ "7b lora 24gb?": an amount that cards have and that no word calls anything else."""
        if self.found or number.value not in VRAM_SIZES:
            return False
        message, tokens = self.message, self.message.tokens
        if any(word in USAGE for word in self._before(number.start, 3)):
            return False
        after = tokens[number.end : number.end + 2] if number.end < len(tokens) and message.parts[number.end] < STOP else []
        if any(word in AFTER_USAGE or word in self.lists["ram"] for word in after):
            return False
        return message.gaps[number.start].strip() not in ("=", "~", ">", "<", "+", "->")

    def _count_card(self, number: Number) -> None:
        """ "4 GPUs", "8 cards", "4卡"; "a 24er Karte" is a memory."""
        message, tokens = self.message, self.message.tokens
        if tokens[number.end : number.end + 1] == ["er"] and number.end + 1 < len(tokens) and tokens[number.end + 1] in self.card_words and number.value in VRAM_SIZES:
            self.found.append(Card(number.start, number.end + 2, count=int(self._count_before(number.start) or 1), vram_gb=number.value))
            message.take(number.start, number.end + 2)
            return
        if number.end >= len(tokens) or number.value != int(number.value) or not 1 <= number.value <= 4096:
            return
        word, parts = tokens[number.end], message.parts[number.end]
        place = number.end
        if word in ("x", "nvidia", "consumer", "identical") and place + 1 < len(tokens):
            place += 1
            word, parts = tokens[place], message.parts[place]
        if word in self.card_words and word not in ("graphics",) and parts <= JOINED and not message.taken[number.start]:
            if number.start and tokens[number.start - 1] in ("gpu", "cuda", "device", "rtx", "gtx", "rank"):
                return
            near = self.numbers.get(place + 1)
            if number.value == 1 and near is None:
                return
            vram = near.value if near is not None and near.unit == MEMORY and near.value <= 300 and not self._is_ram(near) and not self._is_total(near) else None
            card = Card(number.start, place + 1, count=int(number.value), counted=True, vram_gb=vram)
            if vram is not None and near is not None:
                self.memory_used.add(near.start)
            self.found.append(card)
            message.take(number.start, place + 1)

    def _counted_in_words(self) -> None:
        """ "two gpus", "beide Karten"."""
        tokens, parts = self.message.tokens, self.message.parts
        for place in range(1, len(tokens)):
            before = tokens[place - 1]
            if tokens[place] in self.card_words and before in self.counts and parts[place] <= JOINED and int(self.counts[before]) > 1:
                self.found.append(Card(place - 1, place + 1, count=int(self.counts[before]), counted=True))
                return

    def _total(self) -> None:
        """A total over several cards: names their count, or their memory."""
        if not self.totals:
            return
        total = max(self.totals)
        cards = [card for card in self.found if card.gpu or card.vram_gb or card.counted]
        if len(cards) != 1:
            return
        card = cards[0]
        vram = card.vram_gb or (shelf().gpus[card.gpu].vram_gb if card.gpu in shelf().gpus else None)
        if vram and not card.counted:
            count = round(total / vram)
            if 2 <= count <= 64 and abs(count * vram - total) <= 0.05 * total:
                card.count, card.counted = count, True
        elif card.counted and card.count > 1:
            each = total / card.count
            if card.vram_gb is None and (vram is None or abs(each - vram) > 0.1 * vram) and each == int(each) and each in VRAM_SIZES:
                card.vram_gb = each
                self._pick(card)


BEFORE_NAME = frozenset("nvidia rtx geforce tesla vram sxm x version quadro amd radeon single".split())
USAGE = frozenset(
    "uses used using takes taking needs need needing eats eating peak peaks sits sit at usage consumes consumed requires required require hits "
    "braucht brauche benötigt belegt nutzt frisst verbraucht shows allocate allocated around about pushes of dropped only reserved "
    "要 用 占".split()
)
AFTER_USAGE = frozenset(
    "file files dataset data json jsonl text disk ssd nvme hdd peak checkpoint ckpt model weights total used per free ram code of belegt "
    "allocated reserved copy fp32 corpus csv parquet txt usage mem".split()
)
ADJECTIVES = frozenset(
    "nvidia geforce rtx gtx tesla quadro amd radeon rx used gebrauchte gebrauchten gebraucht rented gaming consumer local of the my new old modded times mal "
    "single-slot cheap asus msi zotac gigabyte proart founders instinct apple each kaggle colab 个 块 张 卡 显 mac macbook pro".split()
)
NOT_COUNTS = frozenset("rank r bs batch epochs epoch ga gas len seq ctx context cutoff top cuda gpu torch version v python stage zero".split())


def _together(reader: CardReader) -> Cards:
    """One list without doubles, hearsay and offers."""
    cards = sorted(reader.found, key=lambda card: card.start)
    result = Cards(ram_gb=reader.ram[0] if reader.ram else None, total_gb=max(reader.totals, default=None))
    own = _own(reader, cards)
    named = [card for card in own if card.gpu or card.missing]
    kept = named or own[:]
    merged: dict[object, Card] = {}
    for card in kept:
        key = (card.gpu or card.missing or card.vram_gb, None if card.gpu else card.count)
        known = merged.get(key)
        if known is None:
            merged[key] = replace(card)
            continue
        more = card.another and known.count == 1 and len({c.gpu or c.missing for c in kept}) == 1
        if more:
            known.count += 1
        elif card.gpu is None or not known.counted or reader.went_wrong(card) > reader.went_wrong(known):
            known.count = max(known.count, card.count)
        known.counted = known.counted or card.counted or more
        known.vram_gb = known.vram_gb or card.vram_gb
    result.cards = _same_row(list(merged.values()))
    for card in result.cards:
        if card.another and len(result.cards) == 1 and card.count == 1 and not card.counted:
            card.count = 2
        _judge(card, result)
    result.groups = _alternatives(reader, result.cards)
    return result


def _same_row(cards: list[Card]) -> list[Card]:
    """ "A100" and "A100 40GB" in one message are one card."""
    out: list[Card] = []
    for card in cards:
        twin = next((c for c in out if c.gpu and card.gpu and card.gpu in shelf().twins.get(c.gpu, ())), None)
        if twin is None:
            out.append(card)
            continue
        if card.vram_gb and not twin.vram_gb:
            twin.gpu, twin.vram_gb, twin.choices = card.gpu, card.vram_gb, ()
        elif card.vram_gb and twin.vram_gb and card.vram_gb != twin.vram_gb:
            out.append(card)
            continue
        twin.count = max(twin.count, card.count) if not twin.counted else twin.count
        twin.counted = twin.counted or card.counted
    return out


def _own(reader: CardReader, cards: list[Card]) -> list[Card]:
    """Cards that the asker has or asks about, not those of somebody else or of a price list."""
    if len(cards) < 2:
        return cards
    marks = reader.findings.marks
    away = sorted(marks.get("not_ours", [])) + sorted(marks.get("offers", []))
    if not away:
        return cards
    message = reader.message

    def is_other(card: Card) -> bool:
        for place in away:
            if place < card.start <= place + 14 and all(message.parts[p] < STOP for p in range(place + 1, card.start + 1)):
                return True
        return False

    mine = [card for card in cards if not is_other(card)]
    return mine or cards


def _judge(card: Card, result: Cards) -> None:
    """Names the card as the catalog does, and finds memory that it is not sold with."""
    book = shelf()
    if card.own_vram is not None or card.name:
        card.vram_gb = card.vram_gb or card.own_vram
        return
    if card.gpu in book.gpus:
        gpu = book.gpus[card.gpu]
        card.name = shown_name(gpu)
        stated = card.vram_gb
        if stated is not None:
            options = gpu.memory_options_gb or ()
            if abs(stated - gpu.vram_gb) <= SAME * gpu.vram_gb or gpu.vram_gb * 0.87 <= stated <= gpu.vram_gb:
                card.vram_gb = gpu.vram_gb
            elif stated not in options:
                result.odd = True
                card.missing = f"{gpu.name} {stated:g} GB"
                card.nearest = tuple(dict.fromkeys((card.gpu, *book.twins.get(card.gpu, ()))))
    elif card.missing and not card.name:
        card.name = card.missing.upper()


def shown_name(gpu: Any) -> str:
    """The catalog's name as people say it: without "GPU" at the end, with Intel's name before its cards."""
    name = str(gpu.name).removesuffix(" GPU")
    return f"Intel {name}" if gpu.vendor == "intel" and not name.startswith("Intel") else name


def _alternatives(reader: CardReader, cards: list[Card]) -> list[list[Card]]:
    """ "3090 or 4090", "2x 3090 vs a 4090": each side is a set-up of its own."""
    if len(cards) < 2:
        return []
    places = reader.findings.marks.get("alternative", [])
    groups: list[list[Card]] = [[cards[0]]]
    for before, card in zip(cards, cards[1:], strict=False):
        if any(before.start < place <= card.start + 1 for place in places):
            groups.append([card])
        else:
            groups[-1].append(card)
    if len(groups) < 2:
        return []
    if all(len(group) == 1 for group in groups[1:]) and len(groups[0]) > 1:
        groups = [[card] for card in cards]
    return groups


def numbers_of(message: Message, german: bool) -> dict[int, Number]:
    """Every number of a message by its first token."""
    found = {}
    at = 0
    tokens = message.tokens
    while at < len(tokens):
        if tokens[at][0].isdigit():
            number = read_number(message, at, german)
            if number is not None:
                found[at] = number
                at = number.end
                continue
        at += 1
    return found

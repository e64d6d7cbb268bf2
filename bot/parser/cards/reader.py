"""What is kept while the cards of one message are read, and the small questions that all parts ask."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.parser.findings import Findings
from bot.parser.grammar import Grammar
from bot.parser.numbers import MEMORY, Number
from bot.parser.text import BRACKET, COMMA, JOINED, STOP, Message
from bot.parser.words import words

MOST_CARDS = 20_000
LEAST_RAM_FAR_GB = 64
"""Smaller amounts that stand apart from the word RAM are likelier a card's."""
DATACENTER_GB = frozenset({80, 94, 96, 141})
NO_TOKENS, NO_PARTS = ("",) * 32, (STOP,) * 32
"""What stands around a message, as far as anybody looks."""
THERE_REACH = 16
"""Tokens between a card and "there"."""
RAM_REACH = 9
"""Tokens between the word RAM and its amount."""


@dataclass(slots=True)
class Card:
    """A card mention at tokens[start:end]. `gpu` is a catalog id, None for "a 24 GB card"; vram_gb only when stated."""

    start: int
    end: int
    gpu: str | None = None
    name: str = ""
    count: int = 1
    counted: bool = False
    nodes: int = 1
    """Machines that they stand in."""
    vram_gb: float | None = None
    choices: tuple[str, ...] = ()
    """Rows that the name could mean."""
    missing: str = ""
    """What was written, when the catalog has no such card."""
    nearest: tuple[str, ...] = ()
    another: bool = False
    """ "a second 3090": one more than there is."""
    also_two: bool = False
    """Whether one more of it is a choice beside another card."""
    own_vram: float | None = None
    """GB of a card that has no row of its own."""
    added: bool = False
    """A nameless card beside a named one."""


@dataclass(slots=True)
class Cards:
    """What a message says about cards."""

    cards: list[Card] = field(default_factory=list)
    groups: list[list[Card]] = field(default_factory=list)
    """Alternatives: each entry is one set-up to compare."""
    apart: list[Card] = field(default_factory=list)
    """Cards that are named beside the asker's set-up."""
    total_gb: float | None = None
    ram_gb: float | None = None
    ram_choice: tuple[float, ...] = ()
    """Amounts of memory that are asked about."""
    rented_ram_gb: float | None = None
    odd: bool = False
    """A card with a memory that it is not sold with."""
    assumed: bool = False
    doubted: Card | None = None
    """The card that somebody says it takes, where the asker doubts that and names none."""


class CardReader:
    """The message, its numbers and what was found so far."""

    __slots__ = (
        *("clauses", "findings", "found", "lists", "memory_used"),
        *("message", "named", "numbers", "ram", "ram_choice", "rented", "totals"),
        *("_around", "_parts", "neighbours", "tells_of_ram"),
    )

    def __init__(self, message: Message, numbers: Mapping[int, Number], findings: Findings, grammar: Grammar) -> None:
        self.message, self.numbers, self.findings = message, numbers, findings
        self.lists = grammar.lists
        self.found: list[Card] = []
        self.memory_used: set[int] = set()
        """First tokens of the amounts that are spoken for."""
        self.named: set[int] = set()
        """Tokens that belong to a card."""
        self.totals: list[float] = []
        self.ram: list[float] = []
        self.ram_choice: tuple[float, ...] = ()
        self.rented: list[tuple[int, int, Any]] = []
        self.clauses: Any = None
        self.neighbours: dict[str, tuple[str, ...]] = {}
        """Unknown card as written → known ones like it."""
        self._around = [*message.tokens, *NO_TOKENS]  # a place before the first one counts from the end
        self._parts = [*message.parts, *NO_PARTS]
        own = "own_memory" in message.said or "guest" in message.said  # no amount is a machine's without these or RAM
        self.tells_of_ram = own or ("ram" in message.said and not self.lists["ram"].keys().isdisjoint(message.tokens))

    def token(self, place: int) -> str:
        """The token at a place, "" outside of the message."""
        return self._around[place]

    def next_word(self, place: int, most: int = JOINED) -> str:
        """The token at a place when nothing stronger than `most` parts it from the one before, else ""."""
        return self._around[place] if self._parts[place] <= most else ""

    def number_ending(self, place: int) -> Number | None:
        """The number that ends right before a token."""
        for back in (1, 2):
            number = self.numbers.get(place - back)
            if number is not None and number.end == place:
                return number
        return None

    def before(self, place: int, reach: int) -> list[str]:
        """Up to `reach` tokens before a place in the same sentence, the nearest first."""
        found = []
        tokens, parts = self.message.tokens, self.message.parts
        for at in range(place - 1, max(-1, place - 1 - reach), -1):
            if parts[at + 1] >= STOP:
                break
            found.append(tokens[at])
        return found

    def told(self, name: str, place: int, reach: int) -> bool:
        """Whether one of a list's words is among up to `reach` tokens before a place in the same sentence."""
        return name in self.message.said and not words(name).isdisjoint(self.before(place, reach))

    def is_free(self, number: Number) -> bool:
        """Whether no card has this number."""
        return number.start not in self.named

    def add(self, card: Card) -> None:
        """Keeps a card and what belongs to it."""
        self.found.append(card)
        self.named.update(range(card.start, card.end))

    def went_wrong(self, card: Card) -> int:
        """1 where a card's part of the message tells of failure, else 0."""
        clauses = self.clauses
        if clauses is None or not clauses.bad:
            return 0
        return int(clauses.of(card.start) in clauses.bad or self._fails_there(card))

    def _fails_there(self, card: Card) -> bool:
        """ "7b ran on a T4, 8b OOMs there": the place is the card before it in the sentence."""
        for place in range(card.end, min(len(self.message.tokens), card.end + THERE_REACH)):
            if self.message.parts[place] >= STOP or place in self.named:
                return False
            if self.message.tokens[place] in words("there"):
                return self.clauses.of(place) in self.clauses.bad
        return False

    def is_ram(self, number: Number) -> bool:
        """By wording: "64GB RAM", "RAM: 64 GB", "内存64G"; "memory" only when it says whose."""
        if not self.tells_of_ram:
            return False
        tokens, parts = self.message.tokens, self.message.parts
        ram, vram = self.lists["ram"], self.lists["vram"]
        start = number.start
        named = start and parts[start] <= JOINED and self.number_ending(start - 1) is None
        if named and (tokens[start - 1] in vram or self._owns_vram(start)):
            return False
        if named and (
            self.message.ends_with("ram_sign", start) or self.message.ends_with("ram_before_particle", start - 1)
        ):
            return True  # "内存512G 显存24G", "メモリは64GB"
        if start and tokens[start - 1] in ram and set(self.message.gaps[start]) & set(":=") and self._ram_before(start):
            return True  # "RAM: 32  GPU: 4080"
        place = number.end
        for _ in range(3):
            word = self.next_word(place, BRACKET)
            if not word or word in vram or word in words("card_memory"):
                if word:
                    return False
                break
            if word in ram:
                return True
            following = self.token(place + 1)
            if word in words("own_memory") and (
                following in self.lists["memory"] or following in ram or following == "mem"
            ):
                return True
            if word not in words("before_ram"):
                break
            place += 1
        return self._ram_before(start) or self._ram_earlier(number) or self._ram_of_a_guest(number)

    def _ram_of_a_guest(self, number: Number) -> bool:
        """ "wsl2 sees only 32 of my 64GB": what a virtual machine or container gets of the machine's memory."""
        if number.value in DATACENTER_GB or self.next_word(number.end) in self.lists["card"]:
            return False
        before = self.before(number.start, RAM_REACH)
        if any(word in self.lists["card"] or word in self.lists["vram"] for word in before):
            return False
        told = any(word in words("owner") or word in words("limiting") or word in words("given") for word in before[:2])
        return told and any(word in words("guest") for word in before)

    def _ram_earlier(self, number: Number) -> bool:
        """ "Arbeitsspeicher läuft voll (128GB)": RAM is named before in the sentence, and nothing that has VRAM."""
        if number.value < LEAST_RAM_FAR_GB or number.value in DATACENTER_GB:
            return False
        if self.next_word(number.end) in self.lists["card"]:
            return False
        previous = ""
        for word, place in zip(self.before(number.start, RAM_REACH), range(number.start - 1, -1, -1), strict=False):
            if place in self.named or word in self.lists["vram"] or word in self.lists["card"]:
                return False
            if word in self.lists["ram"] or (word in words("own_memory") and previous in self.lists["memory"]):
                return True
            previous = word
        return False

    def _owns_vram(self, start: int) -> bool:
        """ "显存24G": the word before is this amount's, unless it closes another one ("16G显存 32G内存")."""
        return self.message.ends_with("vram_sign", start) and self.number_ending(start - 2) is None

    def _ram_before(self, start: int) -> bool:
        """ "RAM: 64", "内存64G", "ram: 2x32gb"."""
        if self.token(start - 1) == "x" and self.number_ending(start - 1) is not None:
            start -= 2
        if not start or self.message.parts[start] >= COMMA:
            return False
        if self.token(start - 1) in words("linking") and self.message.parts[start - 1] < COMMA:
            start -= 1  # "ram is 32 GB"
        if self.message.ends_with("ram_sign", start):
            return True
        before, earlier = self.token(start - 1), self.token(start - 2)
        earlier_number = self.number_ending(start - 1)
        mine = earlier_number is None or not self.is_free(earlier_number) or self.message.parts[start - 1] >= COMMA
        return before in self.lists["ram"] and earlier not in ("gpu", "video") and mine

    def is_compared(self, number: Number) -> bool:
        """ "34G without, 40G with lora": amounts that a run took in two ways, not what cards have."""
        if "lacking" not in self.message.said or number.unit != MEMORY:
            return False
        ways = [self.next_word(n.end) for n in self.numbers.values() if n.unit == MEMORY]
        lacking = any(way in words("lacking") for way in ways)
        return lacking and self.next_word(number.end) in words("lacking") | words("with")

    def _of_a_model(self, number: Number) -> bool:
        """ "Mixtral 4bit = 32 GB": what stands before the sign is neither cards nor an amount."""
        before = number.start - 1
        return before >= 0 and self.message.taken[before] and before not in self.named

    def is_total(self, number: Number) -> bool:
        """ "= 96 GB", "96gb in total", "zusammen 64G"."""
        total = self.lists["total"]
        gap = self.message.gaps[number.start].strip()
        if gap in ("->", "=>"):  # "2x24 -> 48 GB"; "bs 4 -> 22 GB" is what a run takes
            before = self.number_ending(number.start)
            return number.start - 1 in self.named or (before is not None and before.unit == number.unit)
        if gap[:1] == "=" and self._of_a_model(number):
            return False
        if gap[:1] == "=" or (number.start and self.token(number.start - 1) in total):
            return True
        place = number.end
        for _ in range(3):
            word = self.next_word(place, BRACKET)
            if word in total:
                return True
            if word not in words("before_total"):
                return False
            place += 1
        return False

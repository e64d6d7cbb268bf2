"""Cards by name: 3090, RTX A6000, "a100 80g", DGX Spark; what is no card, and what does not exist."""

from functools import cache, lru_cache
from itertools import compress, count, dropwhile
from typing import Any

from bot.parser.cards.counts import count_before
from bot.parser.cards.memory import is_bare_memory, pick_row
from bot.parser.cards.reader import Card, CardReader
from bot.parser.cards.shelf import RELATIVE, Shelf, shelf
from bot.parser.numbers import MEMORY
from bot.parser.text import BRACKET, COMMA, GLUED, JOINED
from bot.parser.words import words
from knowledge.language import shared_names
from knowledge.names import DEEPEST, below, ends, payload

ALIKE = 60.0
"""How similar (0 to 100) the neighbours of an unknown card are at least."""
MOST_NAMED = 80
"""Cards of a message that are read: the longest price list that anybody pastes."""
MOST_LOOKED_UP = 3
"""Names of unknown cards in a message that get neighbours."""
LONGEST_WRITTEN = 60
"""Letters of an unknown name that are compared."""
MOST_MAKERS = 4
"""Words such as "NVIDIA GeForce RTX" before a number."""
LAPTOP_REACH = 4
"""Tokens between "laptop" and the card that it has."""
NOTHING: dict[str, Any] = {}
IN_GB = ("gb", "g", "gib")
NEEDS_COMPANY = {
    "spark": ("dgx", "nvidia", "gb10"),
    "thor": ("jetson", "agx"),
    "titan": ("rtx", "v", "xp", "x"),
    "xtx": ("7900",),
    "g5": ("aws", "instance"),
}
"""Names that are ordinary words too, and what must stand near."""


def find_names(reader: CardReader) -> None:
    """Named cards and rented machines. Before model names and phrases, because a card's number is nobody's length."""
    message, book = reader.message, shelf()
    names, rented, makers = book.index.trie.root, book.instances.root, words("makers")
    first_words, until = _first_words(), 0
    for at in compress(count(), map(first_words.__contains__, message.tokens)):
        if at < until:
            continue
        token = message.tokens[at]
        if token in rented and (end := _rented(reader, book, at)):
            until = end
            continue
        card = None
        name = names.get(token, NOTHING)
        if ("" in name or type(name) is tuple or reader.token(at + 1) in name) and not message.taken[at]:
            card = _named(reader, book, at)
        if card is None and token in makers and not message.taken[at] and not _named_after(reader, book, at):
            card = _unknown(reader, at)
        if card is not None:
            reader.add(card)
            message.take(card.start, card.end)
            until = card.end
            if len(reader.found) >= MOST_NAMED:
                break


@cache
def _first_words() -> frozenset[str]:
    """All that a name of a card or of a rented machine begins with."""
    return words("makers").union(shelf().index.trie.root, shelf().instances.root)


def _named_after(reader: CardReader, book: Shelf, at: int) -> bool:
    """Whether a maker's word, or two of them, only stand before a known name: "NVIDIA GeForce RTX 3090"."""
    return any(_longest(reader, book, at + ahead)[1] for ahead in (1, 2, 3) if at + ahead < len(reader.message.tokens))


def _rented(reader: CardReader, book: Shelf, at: int) -> int:
    """Notes a rented machine; its end when its name says nothing about a card by itself, else 0."""
    found = book.instances.find(reader.message.tokens, at)
    if found is None:
        return 0
    reader.rented.append((at, found[0], found[1]))
    if any(reader.message.tokens[place] in book.index.trie.root for place in range(at + 1, found[0])):
        return 0
    reader.message.take(at, found[0])
    return found[0]


def _named(reader: CardReader, book: Shelf, at: int) -> Card | None:
    tokens = reader.message.tokens
    end, gpu_id = _longest(reader, book, at)
    if gpu_id is None or (end == at + 1 and (not _is_card(reader, at) or _counts_examples(reader, at))):
        return None
    end, gpu_id = _without_total(reader, book, at, end, gpu_id)
    if gpu_id.startswith(RELATIVE):
        return _relative(at, end, gpu_id.removeprefix(RELATIVE))
    sized = tokens[end - 1] in IN_GB and end - at > 2 and tokens[end - 2].isdigit()
    vram = float(tokens[end - 2]) if sized else None
    makers = ("rtx", "nvidia", "geforce", "tesla", "rx")
    name = tuple(tokens[at:end])
    entry = book.undecided.get(name)
    if entry is None and name not in book.own_names:  # "titan" is undecided, "rtx titan" is not
        entry = book.undecided.get(tuple(dropwhile(makers.__contains__, name)))
    choices = tuple(entry.candidates) if entry is not None else book.twins.get(gpu_id, ())
    if "forms" in reader.message.said and (form := next((word for word in name if word in words("forms")), "")):
        choices = tuple(c for c in choices if form in c.split("-")) or choices
    card = Card(at, end, gpu_id, vram_gb=vram, choices=() if vram else choices)
    if entry is not None and not entry.default:
        card.gpu, card.missing, card.nearest = None, " ".join(name), tuple(entry.candidates)
    _suffix(reader, book, card)
    if card.gpu and card.gpu in book.laptops and _laptop_before(reader, at):
        card.gpu, card.choices = book.laptops[card.gpu], ()
    _memory_before_setting(reader, card)
    return card


def _memory_before_setting(reader: CardReader, card: Card) -> None:
    """The 40 of "A100 40 batch 2": the setting has a number of its own."""
    number, tokens = reader.numbers.get(card.end), reader.message.tokens
    if number is None or card.vram_gb is not None or number.end + 1 >= len(tokens):
        return
    owned = tokens[number.end].isalpha() and reader.message.parts[number.end] <= JOINED
    if owned and tokens[number.end + 1][0].isdigit() and is_bare_memory(reader, card, number):
        card.vram_gb, card.end = number.value, number.end
        pick_row(card)


def _laptop_before(reader: CardReader, at: int) -> bool:
    """ "laptop 3060", "laptop with a 4070"; a notebook may also be Colab's."""
    return reader.told("laptop_before", at, LAPTOP_REACH)


def _longest(reader: CardReader, book: Shelf, at: int) -> tuple[int, str | None]:
    """The longest name from a token on that no comma tears apart."""
    tokens, parts = reader.message.tokens, reader.message.parts
    node: Any = book.index.trie.root
    end, gpu_id = at, None
    for place, token in enumerate(tokens[at : at + DEEPEST], at):
        if place > at and parts[place] > BRACKET:
            break
        node = node.get(token) if type(node) is dict else below(node, token)
        if node is None:
            break
        if ("" in node if type(node) is dict else ends(node)) and not _is_times(reader, place):
            end, gpu_id = place + 1, payload(node)
    if gpu_id is not None and tokens[end - 1] != "sxm" and reader.next_word(end) == "sxm":
        end += 1
    if gpu_id is not None and tokens[end - 1] == "sxm" and end < len(tokens) and parts[end] == GLUED:
        end += tokens[end].isdigit()  # V100-SXM2, A100-SXM4
    return end, gpu_id


def _is_times(reader: CardReader, place: int) -> bool:
    """The x of "MI250 x4" is no letter of the name."""
    apart, number = reader.message.parts[place] != GLUED, reader.numbers.get(place + 1)
    return reader.token(place) == "x" and apart and number is not None and number.unit != MEMORY


def _without_total(reader: CardReader, book: Shelf, at: int, end: int, gpu_id: str) -> tuple[int, str]:
    """ "two 4090 (48gb sum)" is no 4090 of 48 GB: the amount is what both have."""
    tokens, parts = reader.message.tokens, reader.message.parts
    if tokens[end - 1] not in IN_GB or end - at <= 2:
        return end, gpu_id
    number = reader.numbers.get(end - 2)
    shorter = book.index.trie.find(tokens[: end - 2], at)
    if number is None or shorter is None:
        return end, gpu_id
    bracketed = parts[end - 2] == BRACKET and (count_before(reader, at, take=False) or 1) > 1
    return shorter if reader.is_total(number) or bracketed else (end, gpu_id)


def _relative(at: int, end: int, name: str) -> Card:
    """A card without a row of its own: the same chip's row where there is one, and its own name and memory."""
    relative = shared_names()["relatives"][name]
    vram = float(relative["vram_gb"]) if relative.get("vram_gb") else None
    card = Card(at, end, relative.get("gpu") or None, name=name, own_vram=vram)
    if card.gpu is None:
        card.missing = name
        card.nearest = _like(name)
    return card


def _is_card(reader: CardReader, at: int) -> bool:
    """Whether a bare name such as 3090, 6800, m4 or l4 stands for a card here."""
    message = reader.message
    token, before = message.tokens[at], reader.token(at - 1)
    following = reader.next_word(at + 1, BRACKET)  # "a single 5090? context min 4k"
    glued_after = bool(following) and message.parts[at + 1] == GLUED
    if at and message.parts[at] == GLUED and before[-1].isalpha() and before not in ("x", "rtx", "gtx", "rx", "rts"):
        return not before.isascii()
    if token[0].isdigit():
        if glued_after and following in words("not_cards_glued"):
            return False
        if _is_memory_clock(reader, at):
            return False
        if before == "x" and message.parts[at] == GLUED and reader.number_ending(at - 1) is not None:
            return True  # "2x3090 context 32k"
        if message.gaps[at][-1:] in ("$", "€", "£", "~") or following in words("not_cards_after"):
            return False
        return before not in words("not_cards_before") or message.parts[at] >= COMMA  # "i9, 4090"
    if token in NEEDS_COMPANY:
        near = message.tokens[max(0, at - 3) : at + 4]
        return any(word in near for word in NEEDS_COMPANY[token])
    if token[0] == "m" and token[1:].isdigit():
        if message.gaps[at] == "-" and before.isalpha() and before not in words("before_apple"):
            return False  # "minimax-m2"
        return not (glued_after and following not in ("pro", "max", "ultra")) and following != "2"
    other_name = following.isascii() and following.isalpha() and following not in words("card_glued")
    return not (glued_after and other_name)  # "p4d" is a machine


def _counts_examples(reader: CardReader, at: int) -> bool:
    """The 6000 of "mit 6000 Beispielen"."""
    return reader.message.tokens[at].isdigit() and reader.next_word(at + 1) in words("example_words")


def _is_memory_clock(reader: CardReader, at: int) -> bool:
    """The 6000 of "DDR5-6000" and "DDR5 6000 MHz"."""
    return "ddr" in reader.message.tokens[max(0, at - 2) : at] or reader.token(at - 1) in ("ddr4", "ddr5")


def _suffix(reader: CardReader, book: Shelf, card: Card) -> None:
    """ "4090 laptop" is the laptop's row; "4090 super" is a card that the catalog does not have."""
    message, end = reader.message, card.end
    word = reader.next_word(end)
    if not word or card.gpu is None:
        return
    if word in words("laptop") or (word == "m" and message.parts[end] == GLUED):
        laptop = book.laptops.get(card.gpu)
        if laptop:
            card.gpu, card.end, card.choices = laptop, end + 1, ()
    elif word == "max" and reader.token(end + 1) == "q":
        card.end = end + 2
    elif word in words("card_suffixes") and (word != "d" or message.parts[end] == GLUED):
        if book.gpus[card.gpu].segment not in ("consumer", "workstation", "laptop"):
            return
        card.missing = " ".join(message.tokens[card.start : end + 1])
        card.nearest = _nearest(reader, card.missing) or (card.gpu,)
        card.name, card.gpu, card.end, card.choices = card.missing.upper(), None, end + 1, ()


def _unknown(reader: CardReader, at: int) -> Card | None:
    """ "rtx 3909": a maker's word and a number that no card has. Unknown, with its neighbours; never corrected."""
    tokens, makers = reader.message.tokens, words("makers")
    end = at + 1
    while end - at < MOST_MAKERS and reader.next_word(end) in makers:
        end += 1
    number = reader.next_word(end)
    if not 3 <= len(number) <= 6 or not any(letter.isdigit() for letter in number):
        return None
    if reader.next_word(end + 1) in (*IN_GB, "b") and len(number) < 4:
        return None
    end += 1
    suffixes, laptop = words("card_suffixes"), words("laptop")
    while (word := reader.next_word(end)) in suffixes or word in laptop:
        end += 1
    written = " ".join(tokens[at:end])
    return Card(at, end, name=written.upper(), missing=written, nearest=_nearest(reader, written))


def _nearest(reader: CardReader, written: str) -> tuple[str, ...]:
    """Neighbours of an unknown card. They cost more than all the rest: only the first ones of a message get them."""
    known = reader.neighbours
    if written not in known and len(known) < MOST_LOOKED_UP:
        known[written] = _like(written[:LONGEST_WRITTEN])
    return known.get(written, ())


@lru_cache(maxsize=256)
def _like(written: str) -> tuple[str, ...]:
    return shelf().index.nearest(written, 3, least=ALIKE)

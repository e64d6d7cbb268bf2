"""Memory beside a named card: "3090 24GB", "24g 3090", "T4 (14.75 GiB)"."""

from bot.parser.cards.machine import is_rig_memory
from bot.parser.cards.reader import Card, CardReader
from bot.parser.cards.shelf import ODD_SIZES, REMARK, SAME, VRAM_SIZES, is_that_memory, shelf
from bot.parser.numbers import MEMORY, PLAIN, Number
from bot.parser.text import BRACKET, COMMA, GLUED, JOINED, STOP
from bot.parser.words import words

SMALLEST_GB, LARGEST_GB = 1.5, 600.0
LONGEST_NUMBER = 4
"""Tokens of the longest number with its unit."""
SEVERAL = 2
OWN_REACH = 4
"""Tokens between "mine" and the amount."""
SLICE_REACH = 5
"""Tokens between a card and the amount of its slice."""
NEAR_SUM = 0.05


def memory_before(reader: CardReader, card: Card) -> None:
    """ "24g 3090", "8x80G A100": taken first, because a count stands before it."""
    if card.vram_gb is not None:
        return
    number = reader.number_ending(card.start)
    if number is None and reader.token(card.start - 1) in words("before_name"):
        number = reader.number_ending(card.start - 1)
    if number is None or number.unit != MEMORY or reader.message.parts[card.start] > BRACKET:
        return
    belongs_before = any(other.end == number.start for other in reader.found)
    if not belongs_before and not reader.is_ram(number) and plausible(reader, card, number):
        _give(reader, card, number)


def memory_beside(reader: CardReader, card: Card) -> None:
    """ "3090 24GB", "A100-80G", "P40/24GB/", "two T4 w/ 16GB VRAM each"; then the row of that size is taken."""
    number = None if card.vram_gb is not None else _memory_after(reader, card) or _joined(reader, card)
    if number is not None and is_rig_memory(reader, card, number):
        reader.ram.append(number.value)
        reader.memory_used.add(number.start)
    elif number is not None and _is_given(reader, card, number):
        possible = SMALLEST_GB <= number.value <= LARGEST_GB and plausible(reader, card, number)
        if possible and not _is_sum(reader, card, number):
            _give(reader, card, number)
            _skip_memory_words(reader, card)
    pick_row(card)


def _joined(reader: CardReader, card: Card) -> Number | None:
    """The amount of "3090 and 32 gigs"."""
    joined = reader.next_word(card.end) in words("joins") and reader.next_word(card.end + 1)
    number = reader.numbers.get(card.end + 1) if joined else None
    return number if number is not None and is_rig_memory(reader, card, number) else None


def _is_given(reader: CardReader, card: Card, number: Number) -> bool:
    """Whether an amount is free and nothing behind it says that it is something else: "3060, 16gb file"."""
    if number.start in reader.memory_used or reader.is_ram(number):
        return False
    rows = (shelf().vram_gb(gpu_id) or 0.0 for gpu_id in (card.gpu, *card.choices))
    part = reader.next_word(number.end) in words("part_of_memory")
    if part and not any(is_that_memory(number.value, row) for row in rows):
        return False  # "my 4090 has 12 GB free"
    apart = number.start < len(reader.message.parts) and reader.message.parts[number.start] >= COMMA
    return not (apart and reader.next_word(number.end) in words("after_usage"))


def _give(reader: CardReader, card: Card, number: Number) -> None:
    reader.memory_used.add(number.start)
    card.vram_gb = number.value
    card.start, card.end = min(card.start, number.start), max(card.end, number.end)
    reader.named.update(range(card.start, card.end))
    reader.message.take(number.start, number.end)


def slice_of(reader: CardReader, card: Card) -> None:
    """ "a 22gb slice of an H100", "A100 MIG 20gb": a part of a card has the part's memory."""
    for place in range(card.start - SLICE_REACH - LONGEST_NUMBER, card.end + SLICE_REACH + 1):
        number = reader.numbers.get(place)
        least_known = card.vram_gb or LARGEST_GB
        if number is None or number.unit != MEMORY or not SMALLEST_GB <= number.value < least_known:
            continue
        if reader.message.gaps[number.end] == "." and number.end in reader.numbers:
            continue  # the 3g of "3g.20gb"
        around = reader.message.tokens[max(0, number.start - 3) : number.end + 2]
        near = max(card.start - number.end, number.start - card.end) <= SLICE_REACH
        if near and any(word in words("slices") for word in around):
            _give(reader, card, number)
            card.own_vram = number.value


def memory_elsewhere(reader: CardReader) -> None:
    """ "4 A100s. mine are the 40GB ones", "4 A100 of the 40 GB sort": an amount apart from the only name of a card that
    is sold in several sizes picks its row.
    """
    if "variant_words" not in reader.message.said and "own_ones" not in reader.message.said:
        return
    open_cards = [card for card in reader.found if card.gpu and card.vram_gb is None and card.own_vram is None]
    if len({card.gpu for card in open_cards}) != 1:
        return
    book, card = shelf(), open_cards[0]
    rows = {book.vram_gb(gpu_id) for gpu_id in (*book.twins.get(card.gpu or "", ()), *card.choices)}
    if len(rows) < SEVERAL:
        return
    sizes = [n for n in reader.numbers.values() if n.value in rows and _is_variant(reader, n)]
    others = {n.value for n in reader.numbers.values() if n.value in rows and n.unit == MEMORY}
    if len({number.value for number in sizes}) != 1 or not others.issubset({sizes[0].value}):
        return  # none, or several to choose from: "is that the 40G or the 80G version"
    for number in sizes:
        reader.memory_used.add(number.start)
    for one in open_cards:
        one.vram_gb, one.choices = sizes[0].value, tuple(book.twins.get(one.gpu or "", one.choices))
        pick_row(one)


def _is_variant(reader: CardReader, number: Number) -> bool:
    """ "the 40GB ones", "die 40er", "mine have 40 GB": the size that tells which of a card's forms is meant."""
    message = reader.message
    if message.taken[number.start] or number.start in reader.memory_used or reader.is_ram(number):
        return False
    if number.unit not in (MEMORY, PLAIN):
        return False
    named = reader.next_word(number.end) in words("variant_words")
    glued = number.end < len(message.parts) and message.parts[number.end] == GLUED
    if number.unit == PLAIN:
        return named and glued  # "40er"
    before = reader.before(number.start, OWN_REACH)
    if not (words("seen") - words("at")).isdisjoint(before):
        return False
    if not words("own_ones").isdisjoint(before):
        return True
    return named and not (reader.clauses is not None and reader.clauses.hearsay(number.start))


def _skip_memory_words(reader: CardReader, card: Card) -> None:
    laptop = shelf().laptops.get(card.gpu or "") if reader.next_word(card.end) in words("laptop") else None
    if laptop is not None:
        card.gpu, card.choices = laptop, ()  # "4060 8gb laptop"
    while (word := reader.next_word(card.end)) and (
        word in reader.lists["vram"] or word in words("laptop") or word in words("vram_ending")
    ):
        card.end += 1


def _memory_after(reader: CardReader, card: Card) -> Number | None:
    """The first amount after a card with only small words between; a bare 80 after an A100 counts too."""
    message, place = reader.message, card.end
    for _ in range(4):
        if place >= len(message.tokens) or message.parts[place] >= STOP:
            return None
        number = reader.numbers.get(place)
        if number is not None:
            return number if number.unit == MEMORY or is_bare_memory(reader, card, number) else None
        which = message.tokens[place] in words("which_one") and reader.next_word(place + 1) in words("owning_verbs")
        modded = message.tokens[place] in words("modded") or message.tokens[place - 1] in words("modded")
        if not (which or modded) and message.tokens[place] not in words("before_memory"):
            return None
        place += 1
    return None


def is_bare_memory(reader: CardReader, card: Card, number: Number) -> bool:
    """ "A100 40", "H100 80": a number that is the memory of one of the rows that the name could mean."""
    message = reader.message
    bracketed = message.gaps[number.start].strip() == "(" and message.gaps[number.end][:1] == ")"
    if number.unit != PLAIN or number.start != card.end or not (message.parts[number.start] <= JOINED or bracketed):
        return False
    if "/" in message.gaps[number.start] or reader.token(number.end) in ("x", "gb"):
        return False
    return any(shelf().vram_gb(choice) == number.value for choice in card.choices)


def _is_sum(reader: CardReader, card: Card, number: Number) -> bool:
    """ "2x 3090 (48gb)" is what both have together."""
    each = shelf().vram_gb(card.gpu)
    sold = (choice for choice in card.choices if not REMARK.search(shelf().gpus[choice].name))
    if any(shelf().vram_gb(choice) == number.value for choice in sold):
        return False  # "2x 4060 Ti 16g": there is such a card
    if card.count < 2 or each is None or abs(card.count * each - number.value) > NEAR_SUM * number.value:
        return False
    reader.totals.append(number.value)
    reader.memory_used.add(number.start)
    return True


def _is_sold_with(card: Card, number: Number) -> bool:
    """A single card that there is with just this memory: the 16 GB of "3060 and 4060 ti 16gb together" are no sum."""
    return card.count <= 1 and any(shelf().vram_gb(choice) == number.value for choice in card.choices)


def plausible(reader: CardReader, card: Card, number: Number) -> bool:
    """An amount beside a card is its memory unless it is what a run takes ("4090 uses 18 GB") or a total."""
    if number.start > card.end and not _owns(reader, card, number) and reader.told("usage", number.start, 3):
        return False
    if reader.is_total(number) and not _is_sold_with(card, number):
        return False
    if card.own_vram is not None and abs(number.value - card.own_vram) > SAME * card.own_vram:
        return number.value in VRAM_SIZES
    book = shelf()
    known = [vram for gpu_id in {card.gpu, *card.choices} if (vram := book.vram_gb(gpu_id)) is not None]
    if any(is_that_memory(number.value, vram) for vram in known):
        return True
    if card.gpu and card.gpu in book.gpus and book.gpus[card.gpu].memory_options_gb:
        return True
    return number.value in ODD_SIZES


def _owns(reader: CardReader, card: Card, number: Number) -> bool:
    """ "our A100s have only 40 GB", "2080 Ti, die hat 16GB": a verb of owning behind the name, and no use behind."""
    between = reader.message.tokens[card.end : number.start]
    used = words("after_usage") | words("seen_after")
    return not words("owning_verbs").isdisjoint(between) and reader.next_word(number.end) not in used


def pick_row(card: Card) -> None:
    """The row of that memory size among those that share the name."""
    book = shelf()
    if card.vram_gb is None or card.own_vram is not None or (card.gpu is None and not card.nearest):
        return
    for gpu_id in filter(None, (card.gpu, *(card.choices or card.nearest))):
        vram = book.vram_gb(gpu_id)
        if vram is not None and is_that_memory(card.vram_gb, vram):
            card.gpu, card.missing, card.nearest, card.choices = gpu_id, "", (), ()
            return

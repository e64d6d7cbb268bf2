"""Memory beside a named card, and the machine's own: "3090 24GB", "24g 3090", "T4 (14.75 GiB)", "64GB RAM"."""

from bot.parser.cards.reader import Card, CardReader
from bot.parser.cards.shelf import ODD_SIZES, REMARK, SAME, VRAM_SIZES, is_that_memory, shelf
from bot.parser.numbers import MEMORY, PLAIN, Number
from bot.parser.text import BRACKET, JOINED, STOP
from bot.parser.words import words

SMALLEST_GB, LARGEST_GB = 1.5, 600.0
LEAST_RAM_GB = 4
MOST_STICKS = 32
SURELY_RAM_GB = 300
"""More than this much "memory" is no card's."""
RAM_BESIDE_CARDS_GB = 64
LONGEST_NUMBER = 4
"""Tokens of the longest number with its unit."""
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
    number = None if card.vram_gb is not None else _memory_after(reader, card)
    if number is not None and number.start not in reader.memory_used and not reader.is_ram(number):
        possible = SMALLEST_GB <= number.value <= LARGEST_GB and plausible(reader, card, number)
        if possible and not _is_sum(reader, card, number):
            _give(reader, card, number)
            _skip_memory_words(reader, card)
    pick_row(card)


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


def _skip_memory_words(reader: CardReader, card: Card) -> None:
    while (word := reader.next_word(card.end)) and (
        word in reader.lists["vram"] or word in words("laptop") or word == "存"
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
        if message.tokens[place] not in words("before_memory"):
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


def plausible(reader: CardReader, card: Card, number: Number) -> bool:
    """An amount beside a card is its memory unless it is what a run takes ("4090 uses 18 GB") or a total."""
    if number.start > card.end and any(word in words("usage") for word in reader.before(number.start, 3)):
        return False
    if reader.is_total(number):
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


def find_ram(reader: CardReader) -> None:
    """ "64GB RAM", "85 RAM", "1.2T memory" beside cards that have their own."""
    message = reader.message
    if not reader.tells_of_ram and reader.lists["memory"].keys().isdisjoint(message.tokens):
        return
    for number in reader.numbers.values():
        if number.start in reader.memory_used or (message.taken[number.start] and not reader.is_free(number)):
            continue
        if number.unit == PLAIN and not _plain_ram(reader, number):
            continue
        if number.unit not in (MEMORY, PLAIN):
            continue
        told = any(word in words("whose_ram_not") for word in reader.before(number.start, 2))
        if reader.clauses is not None and reader.clauses.hearsay(number.start):
            continue
        if (reader.is_ram(number) and not told) or _is_machine_memory(reader, number, told):
            reader.ram.append(number.value * _sticks(reader, number))
            reader.memory_used.add(number.start)
            message.take(number.start, number.end)


def _plain_ram(reader: CardReader, number: Number) -> bool:
    """ "85 RAM", "ram 64": a bare number that is called RAM."""
    before = reader.token(number.start - 1) in reader.lists["ram"] and reader.next_word(number.end) != "x"
    return number.value >= LEAST_RAM_GB and (before or reader.next_word(number.end) == "ram")


def _sticks(reader: CardReader, number: Number) -> float:
    """How many in "2x32GB RAM" and "ram: 2x32gb"."""
    count = reader.number_ending(number.start - 1) if reader.token(number.start - 1) in ("x", "х") else None
    if count is None or count.unit != PLAIN or not 1 <= count.value <= MOST_STICKS:
        return 1.0
    reader.message.take(count.start, number.start)
    return count.value


def _is_machine_memory(reader: CardReader, number: Number, told: bool) -> bool:
    """ "1.2T memory": more than any card has, or than the named cards have."""
    if number.unit != MEMORY or reader.is_total(number):
        return False
    before = reader.token(number.start - 1) if reader.message.parts[number.start] <= JOINED else ""
    if reader.next_word(number.end) not in reader.lists["memory"] and before not in reader.lists["memory"]:
        return False
    if number.value > SURELY_RAM_GB:
        return True
    most = max((shelf().vram_gb(card.gpu) or 0.0 for card in reader.found), default=0.0)
    return bool(reader.found) and not told and number.value >= RAM_BESIDE_CARDS_GB and number.value > most

"""Cards of which only memory or count is said: "8x48GB", "two 24gb gpus", "a 24er Karte", "16gb vram", "8 cards"."""

from itertools import takewhile

from bot.parser.cards.counts import MOST_COUNTED, count_before, machines_of
from bot.parser.cards.machine import is_claim, is_second_amount
from bot.parser.cards.reader import MOST_CARDS, Card, CardReader
from bot.parser.cards.shelf import ODD_SIZES, VRAM_SIZES
from bot.parser.lengths import of_file
from bot.parser.numbers import MEMORY, PLAIN, Number
from bot.parser.text import BRACKET, COMMA, STOP
from bot.parser.words import words

COUNTED = frozenset({MEMORY, PLAIN})
"""Units of amounts that are cards by themselves."""
SMALLEST_GB, LARGEST_GB = 2, 300
MOST_IN_A_TOTAL = 64
SMALL_WORDS = 3
"""Tokens such as "zu je" between a number of cards and what each has, or "auf die" between an amount and a disk."""
BARE_SIZES = (16, 24, 32, 40, 48, 80, 94, 96, 141)
NO_CARD = "no_gpu_found"
"""Symptom of who has no card."""
NOT_AN_AMOUNT = ("=", "~", ">", "<", "+", "->")


def find_nameless(reader: CardReader) -> None:
    """Adds cards without a name, when the message names none; notes totals."""
    named = any((card.gpu or card.missing) and not _is_heard_of(reader, card) for card in reader.found)
    for number in reader.numbers.values():
        if number.unit not in COUNTED or number.start in reader.memory_used:
            continue
        if number.unit == MEMORY and number.value == int(number.value) and _is_total(reader, number):
            if not reader.message.taken[number.start] or reader.is_free(number):
                reader.totals.append(number.value)
                reader.memory_used.add(number.start)
        elif named:
            continue
        elif number.unit == MEMORY:
            _memory_card(reader, number)
        elif number.unit == PLAIN:
            _count_card(reader, number)
    if not reader.found:
        _counted_in_words(reader)


def _is_heard_of(reader: CardReader, card: Card) -> bool:
    """The T4 of "24GB card ... people do this on a 16GB T4"."""
    return reader.clauses is not None and bool(reader.clauses.theirs) and bool(reader.clauses.hearsay(card.start))


def _is_total(reader: CardReader, number: Number) -> bool:
    """What several cards have together; "it eats 273gb total" is what a run takes."""
    return reader.is_total(number) and not reader.told("seen", number.start, 3)


def _may_be_card(reader: CardReader, number: Number) -> bool:
    """Whether an amount is free, of a size that cards have, and no part of a name or of memory in use."""
    message, before = reader.message, reader.token(number.start - 1)
    code = message.gaps[number.start] == "-" and before.isascii() and before.isalpha()
    if code and before not in reader.lists["card"] and before not in reader.lists["vram"]:
        return False  # "a3-edgegpu-8g"
    whole = number.value == int(number.value) or reader.next_word(number.end) in reader.lists["vram"]
    if not whole or not SMALLEST_GB <= number.value <= LARGEST_GB or message.taken[number.start]:
        return False
    return not (_of_a_whole(reader, number) or _grew(reader, number))


def _memory_card(reader: CardReader, number: Number) -> None:
    if not _may_be_card(reader, number):
        return
    before = reader.token(number.start - 1)
    is_card, end = _called_card(reader, number)
    other = _other_choice(reader, number)
    used_of = _used_of(reader, number)
    is_card = is_card or other is not None or used_of
    if not is_card and any(is_second_amount(reader, card, number) for card in reader.found):
        reader.ram.append(number.value)
        reader.memory_used.add(number.start)
        return
    if not is_card and (reader.is_ram(number) or is_claim(reader, number)):
        return
    after, count = _counted(reader, number, used_of)
    several = count is not None and count > 1
    times = after is not None or (
        several and (before == "x" or "*" in reader.message.gaps[number.start] or is_card or number.value in VRAM_SIZES)
    )
    if not times:
        if not is_card and not _bare_is_card(reader, number):
            return
        if is_card and not used_of and before in words("usage") and not _card_word_near(reader, number):
            return
    twin = next((card for card in reader.found if card.vram_gb == number.value and card.gpu is None), None)
    if twin is not None and _of_device(reader, number):  # "gpu 0: 24GB, gpu 1: 24GB"
        twin.count, twin.counted = twin.count + 1, True
        reader.memory_used.add(number.start)
        return
    card = Card(number.start, end, vram_gb=number.value)
    if count is not None and count <= MOST_CARDS:
        card.counted = True
        card.nodes = int(machines_of(reader, card))
        card.count = min(MOST_CARDS, int(count) * card.nodes)
    if other is not None and other.unit == PLAIN:
        _add(reader, Card(other.start, other.end, vram_gb=other.value), other)
    _add(reader, card, number)


def _counted(reader: CardReader, number: Number, used_of: bool) -> tuple[Number | None, float | None]:
    """The count that stands after an amount, and how many of it there are."""
    if used_of or reader.told("whose_ram_not", number.start, 2):
        return None, None
    after = _times_after(reader, number)
    return after, count_before(reader, number.start) or (after.value if after else None)


def _other_choice(reader: CardReader, number: Number) -> Number | None:
    """The size that stands for choice before this one: 16 of "16 or 24 gb", 24 of "24gb vs 48gb"."""
    between = number.start - 1
    other = reader.number_ending(between) if reader.token(between) in words("choosing") else None
    if other is None or other.value not in VRAM_SIZES or number.value not in VRAM_SIZES:
        return None
    known = any(card.gpu is None and card.vram_gb == other.value for card in reader.found)
    free = other.unit == PLAIN and not reader.message.taken[other.start] and other.value != number.value
    return other if free or (other.unit == MEMORY and known) else None


def _of_a_whole(reader: CardReader, number: Number) -> bool:
    """The first amount of "2GB / 24GB used": what is in use of a card."""
    whole = reader.numbers.get(number.end)
    return (
        whole is not None
        and whole.unit == MEMORY
        and reader.message.gaps[whole.start].strip() == "/"
        and number.value < whole.value
    )


def _used_of(reader: CardReader, number: Number) -> bool:
    """ "only uses 14 of 24gb": what is in use of a card, no count of cards."""
    place = number.start - 1
    place -= reader.token(place) in words("owner") or reader.token(place) in words("of_those")
    used = reader.number_ending(place) if reader.token(place) in words("of") else None
    return used is not None and (reader.told("usage", used.start, 3) or reader.told("seen", used.start, 3))


def _grew(reader: CardReader, number: Number) -> bool:
    """ "28 -> 32G": memory in use, before and after."""
    message, end = reader.message, number.end
    after = end < len(message.tokens) and message.turned_into(end) and end in reader.numbers
    before = message.turned_into(number.start) and reader.number_ending(number.start) is not None
    return after or before


def _times_after(reader: CardReader, number: Number) -> Number | None:
    """The count in "24 GB x 8 GPUs"; it is used up."""
    count = reader.numbers.get(number.end + 1) if reader.next_word(number.end) == "x" else None
    if count is None or count.unit != PLAIN or not 1 <= count.value <= MOST_COUNTED:
        return None
    word = reader.next_word(count.end) in reader.lists["card"]
    reader.message.take(number.end, count.end + word)
    return count


def _add(reader: CardReader, card: Card, number: Number) -> None:
    total = card.count * (card.vram_gb or 0.0) if card.count > 1 else 0.0
    reader.found = [
        other for other in reader.found if other.gpu or not total or other.vram_gb != total
    ]  # "48gb (2x24)"
    reader.memory_used.add(number.start)
    reader.message.take(number.start, card.end if number.unit == PLAIN else number.end)
    reader.add(card)


def _called_card(reader: CardReader, number: Number) -> tuple[bool, int]:
    """Whether the words around an amount call it a card's, and where those words end."""
    place = number.end
    for _ in range(4):
        word = reader.next_word(place, BRACKET)
        if word in words("device_numbers") and reader.next_word(place + 1)[:1].isdigit():
            return False, number.end
        if word in words("storage"):
            return False, number.end
        if word in reader.lists["vram"] or word in reader.lists["card"] or word in words("memory_cards"):
            return True, place + 1
        if word not in words("before_vram"):
            break
        place += 1
    if _of_device(reader, number):
        return True, number.end
    if reader.is_ram(number):
        return False, number.end  # "8 GB VRAM + 32 GB RAM": the word before belongs to the amount before
    before = reader.token(number.start - 1)
    if reader.message.gaps[number.start].strip() in ("+", "&"):
        return False, number.end  # "24GB vram + 50GB ..."
    is_vram = before in reader.lists["vram"] or reader.message.ends_with("vram_sign", number.start)
    is_card = before in reader.lists["card"] and reader.message.parts[number.start] <= BRACKET
    of_a_way = reader.token(number.start - 2) == "multi" and number.value not in ODD_SIZES  # "multi_gpu: 34G without"
    return is_vram or (is_card and not of_a_way), number.end


def _of_device(reader: CardReader, number: Number) -> bool:
    """ "cuda:0 has 8Gb, cuda:1 12 GB": the memory of one device."""
    place = number.start - (reader.token(number.start - 1) in words("before_memory"))
    index = reader.number_ending(place)
    return index is not None and index.unit == PLAIN and reader.token(index.start - 1) in words("device_numbers")


def _card_word_near(reader: CardReader, number: Number) -> bool:
    return any(reader.token(number.end + step) in reader.lists["card"] for step in range(2))


def _bare_is_card(reader: CardReader, number: Number) -> bool:
    """ "7b lora 24gb?": an amount that cards have and that no word calls anything else."""
    if reader.found or number.value not in VRAM_SIZES or of_file(reader.message, number):
        return False
    apart = reader.message.parts[number.start] >= COMMA
    if not apart and reader.token(number.start - 1) in words("measured"):
        return False  # "Unsloth 11 GB, TRL 17 GB"
    if not apart and (reader.told("usage", number.start, 3) or _in_use_of(reader, number)):
        return False
    if reader.is_compared(number):
        return False
    if reader.findings.has(NO_CARD) or any(f.target.name == NO_CARD for f in reader.findings.evidence):
        return False  # "only on the CPU": what is not called a card is RAM
    message, end = reader.message, number.end
    near = 0 if end >= len(message.tokens) or message.parts[end] >= STOP else 1 if message.parts[end] >= COMMA else 2
    after = message.tokens[end : end + near]
    if any(word in words("after_usage") or word in reader.lists["ram"] for word in after):
        return False
    same = takewhile(lambda at: message.parts[at] < COMMA, range(end, min(len(message.tokens), end + SMALL_WORDS)))
    if not (words("used_behind") | words("storage")).isdisjoint(message.tokens[at] for at in same):
        return False  # "soll nur 2 GB brauchen", "16 GB auf die Platte"
    return message.gaps[number.start].strip() not in NOT_AN_AMOUNT


def _in_use_of(reader: CardReader, number: Number) -> bool:
    """ "Windows itself takes 4-6 GB": the upper end of a range that something uses."""
    low = reader.number_ending(number.start) if reader.message.gaps[number.start].strip() == "-" else None
    return low is not None and (reader.told("usage", low.start, 3) or reader.told("seen", low.start, 3))


def _count_card(reader: CardReader, number: Number) -> None:
    """ "4 GPUs", "8 cards", "4卡"; "a 24er Karte" is a memory."""
    cards = reader.lists["card"]
    if reader.next_word(number.end) == "er" and reader.token(number.end + 1) in cards and number.value in VRAM_SIZES:
        count = int(count_before(reader, number.start) or 1)
        _add(reader, Card(number.start, number.end + 2, count=count, vram_gb=number.value), number)
        return
    if _bare_times(reader, number):
        return
    place = number.end
    if reader.token(place) in words("before_cards"):
        place += 1
    if number.value != int(number.value) or not 1 <= number.value <= MOST_COUNTED or reader.message.taken[number.start]:
        return
    word = reader.next_word(place)
    if word not in cards or word == "graphics" or reader.token(number.start - 1) in words("device_numbers"):
        return
    near = reader.numbers.get(_past_small_words(reader, place + 1))
    is_memory = near is not None and near.unit == MEMORY and near.value <= LARGEST_GB
    if near is not None and is_memory and not reader.is_ram(near) and not reader.is_total(near):
        reader.memory_used.add(near.start)
        vram = near.value
    elif number.value == 1 and near is None:
        return
    else:
        vram = None
    _add(reader, Card(number.start, place + 1, count=int(number.value), counted=True, vram_gb=vram), number)


def _past_small_words(reader: CardReader, place: int) -> int:
    """Behind the "with" of "4 GPUs with 24 GB each", the "zu je" of "16 Beschleuniger zu je 64 GB"."""
    for _ in range(SMALL_WORDS):
        if not reader.next_word(place, BRACKET) or reader.next_word(place, BRACKET) not in words("each_has"):
            break
        place += 1
    return place


def _bare_times(reader: CardReader, number: Number) -> bool:
    """ "4x80": so many cards of a memory that datacenter cards have."""
    each = reader.numbers.get(number.end + 1) if reader.next_word(number.end) == "x" else None
    if each is None or each.unit != PLAIN or each.value not in BARE_SIZES or not 1 <= number.value <= MOST_IN_A_TOTAL:
        return False
    if reader.message.taken[number.start] or reader.next_word(each.end) in words("things") | {"x"}:
        return False
    _add(reader, Card(number.start, each.end, count=int(number.value), counted=True, vram_gb=each.value), number)
    return True


def _counted_in_words(reader: CardReader) -> None:
    """ "two gpus", "beide Karten"."""
    if "card" not in reader.message.said:
        return
    counts, cards = reader.lists["count"], reader.lists["card"]
    for place in range(1, len(reader.message.tokens)):
        before = reader.token(place - 1)
        if reader.next_word(place) in cards and before in counts and int(counts[before]) > 1:
            reader.add(Card(place - 1, place + 1, count=int(counts[before]), counted=True))
            return

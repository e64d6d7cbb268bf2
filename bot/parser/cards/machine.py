"""The machine's own memory beside its cards: "64GB RAM", "1.2T memory", "3090, 64gb", "24 GB & 32 gigs"."""

from typing import NamedTuple

from bot.parser.cards.reader import Card, CardReader
from bot.parser.cards.shelf import ODD_SIZES, VRAM_SIZES, is_that_memory, shelf
from bot.parser.numbers import MEMORY, PLAIN, Number
from bot.parser.text import COMMA, JOINED, STOP
from bot.parser.words import words

LEAST_RAM_GB = 4
MOST_STICKS = 32
SURELY_RAM_GB = 300
"""More than this much "memory" is no card's."""
RAM_BESIDE_CARDS_GB = 64
RAM_SIZES = frozenset({16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1000, 1024})
"""GB that people put into a machine."""
PROCESSOR_REACH = 8
"""Tokens between a processor and the amount."""
GUESS_REACH = 8
"""Tokens between "I guess" and the amount."""
TWICE = 2
"""Times a card's memory from which on "with 64 GB" is the machine's."""


def is_rig_memory(reader: CardReader, card: Card, number: Number) -> bool:
    """ "i9, 3090, 64gb", "3060 + 32gb", "4090 with 64 GB": an amount apart from a card that it is not sold with."""
    if number.unit != MEMORY or number.value not in RAM_SIZES or number.start in reader.memory_used:
        return False
    rows = {vram for gpu_id in (card.gpu, *card.choices) if (vram := shelf().vram_gb(gpu_id)) is not None}
    gpu = shelf().gpus.get(card.gpu or "")
    if not rows or (gpu is not None and gpu.memory_options_gb) or any(is_that_memory(number.value, r) for r in rows):
        return False
    if card.count * max(rows) == number.value or reader.is_total(number) or not _stands_apart(reader, card, number):
        return False
    joined, own = reader.token(number.start - 1) in words("with"), shelf().vram_gb(card.gpu) or max(rows)
    return not _is_something_else(reader, number) and (not joined or number.value >= TWICE * own)


def _stands_apart(reader: CardReader, card: Card, number: Number) -> bool:
    """Whether a comma, a plus or a joining word stands between a card and an amount, and nothing stronger."""
    message = reader.message
    if any(message.parts[place] >= STOP for place in range(card.end, number.start + 1)):
        return False
    gap = message.gaps[number.start].strip()
    if number.start == card.end:
        return gap in (",", "+", "&", "/")
    joining = words("joins") | words("with")
    return number.start == card.end + 1 and reader.token(card.end) in joining and not set(gap) & set("(=~<>")


def _is_something_else(reader: CardReader, number: Number) -> bool:
    """Whether a word behind an amount says what it is, or a card's name stands there."""
    place = number.end
    word = reader.next_word(place)
    if word in reader.lists["vram"] or word in reader.lists["card"] or word in words("after_usage"):
        return True
    if word in words("shared"):
        return True  # "24GB + 16GB shared"
    apart = reader.message.parts[place] if place < len(reader.message.parts) else STOP
    return apart < COMMA and any(other.start == place for other in reader.found)


def is_second_amount(reader: CardReader, card: Card, number: Number) -> bool:
    """The second of "24 GB & 32 gigs": a larger amount joined to a card that is only named by its own."""
    mine = card.gpu is None and not card.missing and card.vram_gb is not None
    if not mine or number.value not in RAM_SIZES or number.value < (card.vram_gb or 0.0):
        return False
    if reader.message.gaps[number.start].strip() not in ("&", "+", "/") and reader.token(number.start - 1) not in words(
        "joins"
    ):
        return False
    return number.start - card.end <= 1 and not _is_something_else(reader, number)


class _Talk(NamedTuple):
    """What a message talks of, each of which tells of a machine's memory in its own way."""

    memory: bool
    ram: bool
    limits: bool
    hosts: bool
    processors: bool
    added: bool
    """Whether anything is added to a card."""


def _talk_of(reader: CardReader) -> _Talk | None:
    """None where nothing can tell of a machine's memory."""
    said, tokens = reader.message.said, reader.message.tokens
    memory = "memory" in said and not reader.lists["memory"].keys().isdisjoint(tokens)
    hosts, processors = "whole_machine" in said, "processors" in said
    added = bool(reader.found) and "+" in reader.message.text
    if not (reader.tells_of_ram or memory or hosts or processors or added):
        return None
    return _Talk(
        memory=memory,
        ram="ram" in said and not reader.lists["ram"].keys().isdisjoint(tokens),
        limits=memory and not words("limited").isdisjoint(tokens),
        hosts=hosts,
        processors=processors,
        added=added,
    )


def find_ram(reader: CardReader) -> None:
    """ "64GB RAM", "85 RAM", "1.2T memory" beside cards that have their own."""
    talk = _talk_of(reader)
    if talk is None:
        return
    for number in reader.numbers.values():
        if number.unit not in (MEMORY, PLAIN):
            continue
        if _is_of_the_instance(reader, number):
            reader.ram.insert(0, number.value)
        elif _told_as_ram(reader, number, talk):
            reader.ram.append(number.value)
        elif (whole := _whole_of_use(reader, number, talk)) is not None:
            reader.ram.append(whole.value)
            reader.memory_used.add(whole.start)
            reader.message.take(whole.start, whole.end)
        elif _called_ram(reader, number, talk):
            reader.ram.append(_before_upgrade(reader, number) or number.value * _sticks(reader, number))
            reader.ram_choice = reader.ram_choice or _choice(reader, number)
        else:
            continue
        reader.memory_used.add(number.start)
        reader.message.take(number.start, number.end)


def _whole_of_use(reader: CardReader, number: Number, talk: _Talk) -> Number | None:
    """The 64 of "RAM 55.8/64", "RAM: 61.2 of 64 GB": what there is, and how much of it was in use."""
    joined = reader.token(number.end) in words("of")
    named = talk.ram and any(word in reader.lists["ram"] for word in reader.before(number.start, 2))
    whole = reader.numbers.get(number.end + joined) if named and not reader.message.taken[number.start] else None
    if whole is None or not (joined or reader.message.gaps[whole.start].strip() == "/"):
        return None
    larger = number.value < whole.value and whole.unit in (PLAIN, MEMORY)
    return whole if larger and whole.value >= LEAST_RAM_GB else None


def _is_of_the_instance(reader: CardReader, number: Number) -> bool:
    """The 1.5 TB of "RAM shows 1.7TiB on a 1.5TB instance": more than any card has, or no card is named."""
    large = number.value > SURELY_RAM_GB or (not reader.found and number.value in RAM_SIZES and number.value > 32)
    if number.unit != MEMORY or number.start in reader.memory_used:
        return False
    behind = reader.next_word(number.end)
    return large and (behind in words("whole_machine") or behind in reader.lists["node"])


def _told_as_ram(reader: CardReader, number: Number, talk: _Talk) -> bool:
    """By what stands before: somebody has it, a limit, a whole machine, a processor, a plus."""
    if not reader.ram and talk.ram and _is_had(reader, number):
        return True
    if (talk.limits and _is_limit(reader, number)) or (talk.hosts and _of_the_host(reader, number)):
        return True
    if reader.ram:
        return False
    return (talk.processors and _after_processor(reader, number)) or (talk.added and _is_added(reader, number))


def _called_ram(reader: CardReader, number: Number, talk: _Talk) -> bool:
    """By its own words: "64GB RAM", "85 RAM", "1.2T memory"."""
    if not (reader.tells_of_ram or talk.memory):
        return False
    if number.start in reader.memory_used or (reader.message.taken[number.start] and not reader.is_free(number)):
        return False
    if number.unit == PLAIN and not _plain_ram(reader, number):
        return False
    if reader.clauses is not None and reader.clauses.hearsay(number.start):
        return False
    used = reader.told("whose_ram_not", number.start, 2) or reader.next_word(number.end + 1) in words("wanting_ram")
    return (not used and reader.is_ram(number)) or (talk.memory and _is_machine_memory(reader, number, used))


def _before_upgrade(reader: CardReader, number: Number) -> float | None:
    """The 32 of "RAM from 32 to 128 GB": what there is now."""
    if reader.token(number.start - 1) not in words("towards"):
        return None
    other = reader.number_ending(number.start - 1)
    if other is None or reader.token(other.start - 1) not in words("from_amount") or other.value >= number.value:
        return None
    reader.message.take(other.start, other.end)
    return other.value


def _choice(reader: CardReader, number: Number) -> tuple[float, ...]:
    """The amounts of "32 or 64 GB RAM", of which none is had."""
    if reader.token(number.start - 1) not in words("choosing"):
        return ()
    other = reader.number_ending(number.start - 1)
    if other is None or other.unit not in (MEMORY, PLAIN) or not LEAST_RAM_GB <= other.value <= number.value:
        return ()
    reader.memory_used.add(other.start)
    reader.message.take(other.start, other.end)
    return other.value, number.value


def _is_limit(reader: CardReader, number: Number) -> bool:
    """ "--memory=48g", "memory: 64Gi", ".wslconfig memory=24GB": what a container or a job gets."""
    if number.unit != MEMORY or number.start in reader.memory_used:
        return False
    gap = reader.message.gaps[number.start]
    limit = reader.token(number.start - 1) in words("limiting")
    named = reader.token(number.start - 1 - limit) in reader.lists["memory"]
    if not named or not (limit or set(gap) & set("=:")):
        return False
    return not any(
        word in words("card_memory") or word in reader.lists["card"] for word in reader.before(number.start, 2)
    )


def _is_apart(reader: CardReader, number: Number) -> bool:
    """Whether an amount is one that machines have, free, and called nothing else."""
    free = number.unit == MEMORY and number.value in RAM_SIZES and number.start not in reader.memory_used
    return free and not reader.message.taken[number.start] and not _is_something_else(reader, number)


def _after_processor(reader: CardReader, number: Number) -> bool:
    """ "Ryzen 5600, 32GB, RX 580", "CPU only (i7, 16GB)": an amount behind a processor."""
    if not _is_apart(reader, number):
        return False
    behind = range(number.start - 1, max(-1, number.start - 1 - PROCESSOR_REACH), -1)
    for place in behind:
        if place in reader.named or reader.message.parts[place + 1] >= STOP:
            return False
        if reader.token(place) in words("processors"):
            return True
    return False


def _is_added(reader: CardReader, number: Number) -> bool:
    """ "2x 4070 super, cpu offload + 96gb": an amount added to a set-up with cards of another memory."""
    if reader.message.gaps[number.start].strip() != "+" or not _is_apart(reader, number):
        return False
    return all(shelf().vram_gb(card.gpu) not in (None, number.value) for card in reader.found)


def _of_the_host(reader: CardReader, number: Number) -> bool:
    """ "the host has 128g": a whole machine's memory."""
    of_machine = number.value in RAM_SIZES or number.value not in VRAM_SIZES
    if number.unit != MEMORY or not of_machine or number.start in reader.memory_used:
        return False
    if reader.next_word(number.end) in reader.lists["vram"] or reader.next_word(number.end) in reader.lists["card"]:
        return False
    before = reader.before(number.start, 2)
    told = before[:1] and (before[0] in words("having") or before[0] in words("with")) and before[1:2]
    return (bool(told) and before[1] in words("whole_machine")) or reader.told("host", number.start, 1)


def _is_had(reader: CardReader, number: Number) -> bool:
    """ "ram usage is 60gb, i have 64": an amount that somebody has, where RAM is talked of."""
    if number.unit not in (PLAIN, MEMORY) or number.value not in RAM_SIZES or reader.message.taken[number.start]:
        return False
    if number.start in reader.memory_used or reader.token(number.start - 1) not in words("having"):
        return False
    place = number.end
    place += reader.next_word(place) in words("still")
    ends = place >= len(reader.message.tokens) or reader.message.parts[place] >= COMMA
    return ends and any(word in reader.lists["ram"] for word in reader.message.tokens[: number.start])


def _plain_ram(reader: CardReader, number: Number) -> bool:
    """ "85 RAM", "ram 64": a bare number that is called RAM."""
    if reader.token(number.start - 1) == "ddr" or reader.token(number.start - 2) == "ddr":
        return False  # "DDR5-6000"
    before = reader.token(number.start - 1) in reader.lists["ram"] and reader.next_word(number.end) != "x"
    return number.value >= LEAST_RAM_GB and (before or reader.next_word(number.end) == "ram")


def _sticks(reader: CardReader, number: Number) -> float:
    """How many in "2x32GB RAM" and "ram: 2x32gb"."""
    count = reader.number_ending(number.start - 1) if reader.token(number.start - 1) in words("times") else None
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
    if number.value > SURELY_RAM_GB or (not reader.found and number.value not in ODD_SIZES):
        return True
    most = max((shelf().vram_gb(card.gpu) or 0.0 for card in reader.found), default=0.0)
    return bool(reader.found) and not told and number.value >= RAM_BESIDE_CARDS_GB and number.value > most


def is_claim(reader: CardReader, number: Number) -> bool:
    """Whether an amount is what somebody says that it takes, and no card."""
    if reader.clauses is not None and reader.clauses.hearsay(number.start):
        return True
    if reader.told("guessing", number.start, GUESS_REACH):
        return True
    sources = words("source") - reader.lists["card"].keys()  # "my card: 23.3 GiB allocated" is none
    return reader.token(number.start - 1) in sources and reader.message.parts[number.start] < STOP

"""Memory that a run takes: as the asker saw it, as others claim, as one block that failed. None of it is a card's."""

from dataclasses import replace

from bot.parser.cards import Card, CardReader, shelf
from bot.parser.cards.machine import GUESS_REACH, is_claim
from bot.parser.findings import Found, target_of
from bot.parser.numbers import MEMORY, PLAIN, Number
from bot.parser.slots import Slots
from bot.parser.text import COMMA
from bot.parser.words import words

MOST_GIB = 2_000
LEAST_PART_GB = 3
"""A smaller part of a card is a number of cards."""
MOST_OF_A_CARD = 288
"""GB of the largest card."""
SAID_REACH, SEEN_REACH = 2, 5
"""Tokens between a word of saying or seeing and the amount."""
CLAIM_REACH = 9
"""Tokens between somebody else and what they say."""
MINE_REACH = 5
"""Tokens from "bei mir" to what it is there."""
SUM_REACH = 8
"""Tokens between "I count", "ich komme" and what it comes to."""


def state_usage(slots: Slots, reader: CardReader) -> None:
    """Fills tried_allocate_gib or seen_gib, and claimed_gib."""
    free = _free(reader)
    if not (free or reader.memory_used) and reader.message.said.isdisjoint(("estimating", "seen_after")):
        return
    free = _without_sums(reader, free)
    claimed = _claimed(reader, free)
    if claimed is not None:
        reader.memory_used.add(claimed.start)
        if _is_sum(reader, claimed):  # "3x 3090, I thought 72 GB would do"
            _believes(reader, claimed, "vram_adds_up")
            return
        slots.state("claimed_gib", claimed.value)
        if (other := _of_another(reader, free, claimed)) is not None:
            reader.memory_used.add(other.start)
            slots.named["claimed_gib"] = (f"{claimed.value:g}", f"{other.value:g}")
            free = [number for number in free if number.start != other.start]
        if not (reader.told("guessing", claimed.start, GUESS_REACH) or _is_own_sum(reader, claimed)):
            _believes(reader, claimed, "table_covers_me")
    if (tried := _tried(reader) if free or reader.memory_used else None) is not None:
        slots.state("tried_allocate_gib", tried)
        if (ran := next((n.value for n in free if n.value != tried and _ran_at(reader, n)), None)) is not None:
            slots.state("seen_gib", ran)
    elif (seen := _seen(reader, [n for n in free if claimed is None or n.start != claimed.start])) is not None:
        slots.state("seen_gib", seen)


def _without_sums(reader: CardReader, free: list[Number]) -> list[Number]:
    """The amounts without those that are all cards of a kind together: "do 2x 3090 give me 48 GB"."""
    sums = [
        number
        for number in free
        if _is_sum(reader, number) and not (_is_seen(reader, number) or _shown_by(reader, number))
    ]
    for number in sums:
        reader.memory_used.add(number.start)
        _believes(reader, number, "vram_adds_up")
    return [number for number in free if number not in sums]


def _is_sum(reader: CardReader, number: Number) -> bool:
    """Whether an amount is what all cards of a kind have together."""
    return any(card.count > 1 and _together(card) == number.value for card in reader.found)


def _together(card: Card) -> float:
    """GB of all cards of a kind."""
    return card.count * (card.vram_gb or shelf().vram_gb(card.gpu) or 0.0)


def _believes(reader: CardReader, number: Number, claim: str) -> None:
    """Notes what an amount shows that the asker believes."""
    reader.findings.evidence.append(Found(number.start, number.end, target_of("claims", claim, None, "amounts"), None))


def _free(reader: CardReader) -> list[Number]:
    """Amounts that nothing else has taken."""
    used, taken = reader.memory_used, reader.message.taken
    return [
        number
        for number in reader.numbers.values()
        if number.unit == MEMORY
        and 0 < number.value <= MOST_GIB
        and number.start not in used
        and not taken[number.start]
    ]


def _seen(reader: CardReader, free: list[Number]) -> float | None:
    """ "needs 38 GB here", "sits at 58 GB", "batch 16: 22.7GB", "-> 17 GB", "23 GB belegt": memory in use."""
    total = None
    compared = [number.value for number in free if reader.is_compared(number)]
    if compared:
        with_it = (n.value for n in free if n.value in compared and reader.next_word(n.end) not in words("lacking"))
        return next(with_it, compared[0])
    for number in free:
        if reader.next_word(number.end) in words("shared") or _of_the_desktop(reader, number):
            continue
        if (reader.is_total(number) and not _shown_by(reader, number)) or _is_whole_card(reader, number):
            continue
        if _is_seen(reader, number) or _shown_by(reader, number):
            part = _part_of_whole(reader, number)
            if part is not None or not _of_the_system(reader, number):
                return part or number.value
            total = total or number.value
    return total or _plainly_seen(reader)


def _plainly_seen(reader: CardReader) -> float | None:
    """The 15.1 of "15.1 of 16 GB on my V100", the 11 of "the docs say 6GB. mine needs 11."."""
    for number in reader.numbers.values():
        if number.unit == MEMORY and (part := _part_of_whole(reader, number)) is not None and part >= LEAST_PART_GB:
            return part
    said = reader.message.said
    in_use = not said.isdisjoint(("seen_after", "seen"))
    full = {card.vram_gb or shelf().vram_gb(card.gpu) for card in reader.found} if in_use else ()
    for number in reader.numbers.values() if full else ():
        whole = number.unit == PLAIN and number.value in full and _is_in_use(reader, number)
        if whole and (part := _part_of_whole(reader, number)) is not None:
            return part
    if "seen" not in said or said.isdisjoint(("own_ones", "first_person")):
        return None
    for number in reader.numbers.values():
        ends = number.end >= len(reader.message.tokens) or reader.message.parts[number.end] >= COMMA
        free = number.unit == PLAIN and not reader.message.taken[number.start] and number.value <= MOST_GIB
        before = reader.before(number.start, SAID_REACH)
        mine = (
            len(before) == SAID_REACH
            and before[0] in words("seen")
            and before[1] in words("own_ones") | words("first_person")
        )
        if free and ends and mine:
            return number.value
    return None


def _is_in_use(reader: CardReader, whole: Number) -> bool:
    """ "auf ner A6000 sind 39 von 48 belegt", "vram sits at 31.3 of 32": a part of a card that a run takes."""
    told = reader.before(whole.start, SEEN_REACH)
    before = not (words("seen") - words("at")).isdisjoint(told) and not reader.lists["vram"].keys().isdisjoint(told)
    return before or reader.next_word(whole.end) in words("seen_after")


def _part_of_whole(reader: CardReader, number: Number) -> float | None:
    """The 8.7 of "shows 8.7/24 GB"."""
    between = reader.token(number.start - 1) in words("of")
    joined = between or reader.message.gaps[number.start].strip() == "/"
    part = reader.number_ending(number.start - between) if joined else None
    if part is not None and any(word in reader.lists["ram"] for word in reader.before(part.start, 2)):
        return None  # "RAM 55.8/64": the machine's
    return part.value if part is not None and part.unit == PLAIN and part.value < number.value else None


def _is_whole_card(reader: CardReader, number: Number) -> bool:
    """The 24 GB of "my 3090 shows 24GB + 16GB shared": all that the card has, and no use of it."""
    book = shelf()
    mine = any(number.value == (card.vram_gb or book.vram_gb(card.gpu)) for card in reader.found)
    return mine and reader.told("showing", number.start, 1)


def _is_seen(reader: CardReader, number: Number) -> bool:
    behind = reader.next_word(number.end)
    if behind in reader.lists["card"] or behind in words("variant_words"):
        return False  # "do i need 80GB cards?", "they used 80G ones"
    if reader.told("seen", number.start, SEEN_REACH) or _ran_at(reader, number):
        return True
    said = reader.message.said
    before = reader.before(number.start, MINE_REACH) if "me_words" in said and "for_me" in said else ()
    for at in range(len(before) - 1):  # backwards
        mine = before[at] in words("me_words") and before[at + 1] in words("for_me")
        if mine and words("it_is").issuperset(before[:at]):
            return True  # "bei mir 7,8 GB", "bei mir sind es 21 GB"
    if reader.token(number.start - 1) in words("measured") and reader.message.parts[number.start] < COMMA:
        return True
    if "asking_why" in said and reader.token(number.start - 1) in words("usage"):
        return True  # "why does it take 20 GB"
    return reader.next_word(number.end) in words("seen_after")


def _ran_at(reader: CardReader, number: Number) -> bool:
    """ "tries to allocate 340 GB, with packing off it runs at 55gb": what it takes where it runs."""
    return reader.told("runs_at", number.start, SEEN_REACH) and reader.told("at", number.start, SEEN_REACH)


def _shown_by(reader: CardReader, number: Number) -> bool:
    """ "~1000 token prompts -> 17 GB", "batch 16: 22.7GB": what came of a setting."""
    gap = reader.message.gaps[number.start].strip()
    if gap.endswith(("->", "=>")) or "\u2192" in gap:
        return True
    before = reader.number_ending(number.start)
    return gap == ":" and before is not None and reader.token(before.start - 1) in words("settings")


def _of_the_desktop(reader: CardReader, number: Number) -> bool:
    """ "Windows takes 1.5 GB of the 8": no use of a run."""
    return reader.told("desktops", number.start, SUM_REACH) and not reader.told("showing", number.start, SUM_REACH)


def _of_the_system(reader: CardReader, number: Number) -> bool:
    """ "windows shows '40GB' because of shared memory": no reading of one run."""
    return reader.told("shown_by_system", number.start, SEEN_REACH + 2)


def _claimed(reader: CardReader, free: list[Number]) -> Number | None:
    """ "the calculator said 10", "readme: 40GB is enough", "i guess less than 250gb", "laut Rechner 14 GB"."""
    message = reader.message
    worked_out = [n for n in reader.numbers.values() if _is_worked_out(reader, n) and n.start in reader.memory_used]
    for number in sorted((*free, *worked_out), key=lambda amount: amount.start):
        if reader.token(number.start - 1) == "x" or reader.next_word(number.end) in reader.lists["card"]:
            continue  # "4x24GB" are cards, and so is "a friend's 24 GB card"
        if reader.told("remaining", number.start, SAID_REACH) or reader.next_word(number.end) in words("remaining"):
            continue  # "115 GB, leaves 13 GB"
        if reader.is_ram(number):
            continue  # "he did it with 128 GB of RAM"
        if any(told(reader, number) for told in (_is_supposed, is_claim, _is_doubted, _is_own_sum)):
            return replace(number, value=number.value + _addend(reader, number))
    if "estimating" not in message.said:
        return None
    sources = words("estimating")
    for number in reader.numbers.values():  # "the calculator said 10"
        alone = number.unit == PLAIN and not message.taken[number.start] and number.value <= MOST_GIB
        ends = number.end >= len(message.tokens) or message.parts[number.end] >= COMMA
        said = reader.before(number.start, SAID_REACH + 1)
        if alone and ends and said[:1] and said[0] in words("saying") and any(word in sources for word in said[1:]):
            return number
        behind = reader.next_word(number.end) in words("saying") and any(word in sources for word in said)
        if alone and behind:  # "obwohl der Rechner 16 sagt"
            return number
    return None


def _of_another(reader: CardReader, free: list[Number], claimed: Number) -> Number | None:
    """The 15 GB of "one page wants 42 GB, another says 15 GB": what somebody else says against it."""
    if "another_source" not in reader.message.said and "source" not in reader.message.said:
        return None
    for number in free:
        near = reader.message.tokens[max(claimed.end, number.start - CLAIM_REACH) : number.start]
        another = not words("another_source").isdisjoint(near)
        claims = is_claim(reader, number) and not words("source").isdisjoint(near)
        if number.start > claimed.end and number.value != claimed.value and (another or claims):
            return None if reader.next_word(number.end) in reader.lists["card"] else number
    return None


def _is_supposed(reader: CardReader, number: Number) -> bool:
    """ "soll doch nur 2 GB brauchen", "should need 6 GB"."""
    if not reader.told("supposed", number.start, SUM_REACH):
        return False
    needed = words("used_behind") | words("needed_before")
    return not needed.isdisjoint((reader.next_word(number.end), reader.token(number.start - 1)))


def _addend(reader: CardReader, number: Number) -> float:
    """The first 280 of "280+280G"."""
    other = reader.number_ending(number.start) if reader.message.gaps[number.start].strip() == "+" else None
    if other is None or other.unit != PLAIN or other.start in reader.named:
        return 0.0  # "a 3090 + 128GB RAM"
    return other.value


def _is_doubted(reader: CardReader, number: Number) -> bool:
    """ "is 300 GB right for full fine-tuning of a 70b?": more than a card has."""
    asked = reader.token(number.start - 1) in words("linking") and reader.next_word(number.end) in words("right")
    return asked and number.value > MOST_OF_A_CARD


def _is_own_sum(reader: CardReader, number: Number) -> bool:
    """ "32+32 = 64 GB, right?", "i count 112 GB for a full 7B, correct?", "ich komme auf 104 GB, stimmt das?"."""
    if "doubting" not in reader.message.said:
        return False
    return _is_worked_out(reader, number) or reader.told("summing", number.start, SUM_REACH)


def _is_worked_out(reader: CardReader, number: Number) -> bool:
    """ "32+32 = 64 GB": what a sum comes to."""
    return number.unit == MEMORY and reader.message.gaps[number.start].strip() == "="


def _tried(reader: CardReader) -> float | None:
    """ "tried to allocate 182 GiB", "will 340 GB allozieren": one block, told in words."""
    if "allocating" not in reader.message.said:
        return None
    for number in reader.numbers.values():
        behind = reader.next_word(number.end) in words("allocating")
        if number.unit == MEMORY and (behind or reader.told("allocating", number.start, 3)):
            return number.value if 0 < number.value <= MOST_GIB else None
    return None

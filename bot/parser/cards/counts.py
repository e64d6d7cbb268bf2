"""How many: "2x", "two", "dual", "8张" before a card, "x2", "*1", "(10 pieces)" after it, and on how many machines."""

from bot.parser.cards.reader import MOST_CARDS, Card, CardReader
from bot.parser.cards.shelf import shelf
from bot.parser.numbers import MEMORY, PLAIN, Number
from bot.parser.text import BRACKET, COMMA, GLUED, JOINED, STOP
from bot.parser.words import words

MOST_COUNTED = 4096
DOZEN = 12
PART_REACH = 3
"""Tokens of "2 of my" before a count."""
SINGLE_REACH = 3
"""Tokens between "single" and the card of "a single 8xH100 node"."""
YEARS = range(2009, 2036)
MOST_MACHINES = 1000
MACHINE_GAPS = ("", " ", "  ", "-", " x ", "x ")
"""What may stand between a number and "nodes"."""


def count_beside(reader: CardReader, card: Card) -> None:
    """Sets a card's count from what stands before or after it."""
    count = count_before(reader, card.start)
    if count is None:
        count = _count_after(reader, card)
    if count is not None and 1 <= count <= MOST_CARDS:
        card.counted = not card.another
        card.nodes = int(machines_of(reader, card))
        card.count = min(MOST_CARDS, int(count) * card.nodes)


def count_before(reader: CardReader, start: int, take: bool = True) -> float | None:
    """ "2x", "2 x", "2*", "two", "dual", "8张", "eine", "a second" right before a token; None when nothing counts."""
    message, counts, cards = reader.message, reader.lists["count"], reader.lists["card"]
    place = start - 1
    for _ in range(5):
        if place < 0 or message.parts[place + 1] >= COMMA:
            return None
        word = message.tokens[place]
        if word in cards and ":" in message.gaps[place + 1] and len(reader.found) > 1:
            return None  # "zwei Karten: 3090 und 4060 Ti"
        if word in words("times") or word in words("adjectives") or (word in cards and word != "graphics"):
            place -= 1
        elif word in counts:
            count = float(counts[word])
            halved = count == DOZEN and not words("half").isdisjoint(message.tokens[max(0, place - 2) : place])
            return count / 2 if halved else count
        elif word in reader.lists["second"]:
            for card in reader.found:
                card.another = card.another or card.start <= start < card.end
            return 1.0
        else:
            number = reader.number_ending(place + 1)
            if number is None or "(" in message.gaps[place + 1] or not _counts(reader, number):
                return None  # "Legion 5 (RTX 3070 laptop)"
            if take:
                message.take(number.start, number.end)
            return _part_of(reader, number)
    return None


def _part_of(reader: CardReader, number: Number) -> float:
    """The 2 of "2 of my 4 3090s"; the number itself where it is no whole."""
    tokens, start = reader.message.tokens, number.start
    if start > 1 and tokens[start - 1] in words("of") and (part := reader.number_ending(start - 1)) is not None:
        return part.value if part.unit == PLAIN and 1 <= part.value < number.value else number.value
    if (
        start > PART_REACH - 1
        and (tokens[start - 1] in words("owner") or tokens[start - 1] in words("of_those"))
        and tokens[start - 2] in words("of")
    ):
        part = reader.number_ending(start - 2)
        if part is not None and part.unit == PLAIN and 1 <= part.value < number.value:
            return part.value
    return number.value


def count_elsewhere(reader: CardReader, card: Card) -> None:
    """ "slower on 2 gpus (RTX 3060 12GB each)": each of how many is said before the name."""
    if card.counted or reader.next_word(card.end, BRACKET) not in reader.lists.get("each", {}):
        return
    if len({other.gpu or other.missing for other in reader.found}) != 1:
        return
    for number in reader.numbers.values():
        several = number.unit == PLAIN and 1 < number.value <= MOST_COUNTED and number.value == int(number.value)
        if several and number.end <= card.start and reader.next_word(number.end) in reader.lists["card"]:
            card.count, card.counted = int(number.value), True
            return


def _counts(reader: CardReader, number: Number) -> bool:
    """Whether a number before a card is a count: whole, small, free, not a range, not a setting's value."""
    message = reader.message
    before = message.gaps[number.start]
    if number.unit != PLAIN or number.value != int(number.value) or not 1 <= number.value <= MOST_COUNTED:
        return False
    word = message.tokens[number.start - 1] if number.start and message.parts[number.start] == GLUED else ""
    if (word.isascii() and word.isalpha() and word not in words("times")) or number.value in YEARS:
        return False  # "wsl2 3090", "MacBook Pro 2019 Radeon Pro 5500M"
    if message.taken[number.start] and not reader.is_free(number):
        return False
    if message.gaps[number.end] == "-" or message.turned_into(number.end) or before[-1:] in ("+", "-", ":"):  # "cuda:0"
        return False
    setting = number.start and message.tokens[number.start - 1] in words("not_counts")
    owned = reader.number_ending(number.start - 1) is not None  # "4k ctx 8xA100"
    setting = setting and (not owned or message.tokens[number.start - 1] in words("values_after"))
    if setting and reader.token(number.end) in words("times") and message.parts[number.end] == GLUED:
        setting = reader.token(number.start - 1) not in reader.lists["card"]  # "multi gpu 2x3090"
    return not (setting and message.parts[number.start] <= JOINED)


def _count_after(reader: CardReader, card: Card) -> float | None:
    """ "T4 x2", "3090*1", "A100 8x80G", "3090 2枚", "3090 (2)", "cards ... (10 pieces)"."""
    message = reader.message
    place = card.end
    if reader.next_word(place) == "s" and message.parts[place] == GLUED:
        place += 1
    if place >= len(message.tokens) or message.parts[place] >= STOP:
        return None
    if message.tokens[place] == "x":
        return _times(reader, place)
    number = reader.numbers.get(place)
    if number is not None and number.unit == PLAIN and number.value <= MOST_COUNTED:
        count = _number_after(reader, card, number)
        if count is not None:
            return count
    if message.tokens[place] in reader.lists["node"] and (count := _in_that_node(reader, place + 1)) is not None:
        return count
    return _pieces(reader, card, place)


def _in_that_node(reader: CardReader, place: int) -> float | None:
    """The 8 of "H100 node (8 gpus)" and "H100 server with 8 GPUs"."""
    place += reader.next_word(place) in words("each_has")
    number = reader.numbers.get(place)
    if number is None or number.unit != PLAIN or not 1 <= number.value <= MOST_COUNTED:
        return None
    if reader.message.parts[place] > BRACKET or reader.next_word(number.end) not in reader.lists["card"]:
        return None
    reader.message.take(number.start, number.end)
    return number.value


def _pieces(reader: CardReader, card: Card, place: int) -> float | None:
    """ "cards over 4 nodes (10 pieces)"; of "A6000 and A100 cards (10 pieces)" the last, less the others."""
    message = reader.message
    if "pieces" not in message.said:
        return None
    starts = {other.start for other in reader.found}
    for ahead in range(place, min(len(message.tokens), place + 9)):
        if ahead in starts:
            return None
        number = reader.number_ending(ahead) if message.tokens[ahead] in words("pieces") else None
        if number is not None and number.unit == PLAIN:
            return max(1, number.value - sum(_beside(reader, other, card) for other in reader.found))
    return None


def _beside(reader: CardReader, other: Card, card: Card) -> bool:
    """Whether another kind without a count stands before it in the same sentence."""
    parts = reader.message.parts
    before = other.start < card.start and not other.counted and other.gpu != card.gpu
    return before and all(parts[place] < STOP for place in range(other.end, card.start + 1))


def _times(reader: CardReader, place: int) -> float | None:
    number = reader.numbers.get(place + 1)
    if number is None or reader.message.parts[place + 1] > JOINED or number.unit != PLAIN:
        return None
    if number.value > MOST_COUNTED or _before_card(reader, number):
        return None
    reader.message.take(place, number.end)
    return number.value


def _number_after(reader: CardReader, card: Card, number: Number) -> float | None:
    message = reader.message
    memory = _each_memory(reader, number, card)
    if memory is not None:
        if card.vram_gb is None:
            reader.memory_used.add(memory.start)
            card.vram_gb = memory.value
            card.end = memory.end
        message.take(number.start, memory.end)
        return number.value
    gap = message.gaps[number.start].strip()
    if gap == "(" and number.value in {shelf().vram_gb(gpu_id) for gpu_id in (card.gpu, *card.choices)}:
        return None
    measured = reader.next_word(number.end) in reader.lists["measure"]
    if gap == "(" and not _closes(reader, number):
        return None  # "my 3090 (3 sec)", "P40 (180€)", "a 3090 + 3080 (24+10)"
    if measured or ((gap in ("(x", "×", "(") or "*" in gap) and not _before_card(reader, number)):
        message.take(number.start, number.end)
        return number.value
    return None


def _closes(reader: CardReader, number: Number) -> bool:
    """Whether a number in brackets stands there alone, or with a word for cards: "(2)", "(10 pieces)"."""
    word = reader.next_word(number.end)
    if word in reader.lists["measure"] or word in reader.lists["card"] or word in words("counted_as"):
        return True
    return reader.message.gaps[number.end][:1] == ")"


def _each_memory(reader: CardReader, number: Number, card: Card) -> Number | None:
    """The amount in "8x80G", and in "A100 (8x40)" where the card has a row of that size."""
    message = reader.message
    if reader.next_word(number.end) not in words("times") or message.parts[number.start] > BRACKET:
        return None
    memory = reader.numbers.get(number.end + 1)
    if memory is None or memory.unit not in (MEMORY, PLAIN):
        return None
    own = {shelf().vram_gb(gpu_id) for gpu_id in (card.gpu, *card.choices)}
    return memory if memory.unit == MEMORY or memory.value in own else None


def _before_card(reader: CardReader, number: Number) -> bool:
    """ "3090 x 2 4090": the number may belong to the next card."""
    return any(number.end <= card.start <= number.end + 1 for card in reader.found)


def machines_of(reader: CardReader, card: Card) -> float:
    """ "3 nodes x 8 x A100", "zwei Rechner zu je 8x A100", "one 8xA100 server, TWO servers": how many."""
    message, nodes = reader.message, reader.lists["node"]
    place, numbers_seen = card.start - 1, 0
    for _ in range(10):
        if place < 0 or message.parts[place + 1] >= STOP:
            break
        token = message.tokens[place]
        if token in nodes:
            if not numbers_seen:
                break
            return _machines(reader, place)
        if token[0].isdigit():
            numbers_seen += 1
            if numbers_seen > 1:
                break
        elif token in reader.lists["count"]:
            numbers_seen = numbers_seen or 1
        elif not (token in words("before_nodes") or token in reader.lists["card"]):
            break
        place -= 1
    memory = reader.numbers.get(card.end)
    end = memory.end if memory is not None and memory.unit == MEMORY else card.end
    follows = reader.next_word(end)
    if follows in nodes and _is_single(reader, card):
        return 1.0
    if follows in words("per") and reader.next_word(end + 1) in nodes:  # "6 V100 32GB per node, 3 nodes"
        counted = (_machines(reader, place) for place, token in enumerate(message.tokens) if token in nodes)
        return max(counted, default=1.0)
    if follows in nodes and reader.next_word(end + 1) in words("times"):  # "8xH100-80G nodes x 2"
        number = reader.numbers.get(end + 2)
        if number is not None and number.unit == PLAIN and 1 <= number.value <= MOST_MACHINES:
            return number.value
    if follows in nodes and follows != "nodes":
        return max(_machines(reader, place) for place, token in enumerate(message.tokens) if token in nodes)
    return 1.0


def _is_single(reader: CardReader, card: Card) -> bool:
    """The one machine of "a single 8xH100 node"."""
    return any(word in words("just_one") and word != "one" for word in reader.before(card.start, SINGLE_REACH))


def nodes_before(reader: CardReader, start: int) -> float:
    """ "2 nodes of p5.48xlarge": how many of a rented machine."""
    place = start - 1
    while place > 0 and reader.token(place) in words("before_nodes"):
        place -= 1
    return _machines(reader, place) if reader.token(place) in reader.lists["node"] else 1.0


def _machines(reader: CardReader, place: int) -> float:
    counts = reader.lists["count"]
    if reader.token(place - 1) in words("adjectives") and reader.token(place - 1) not in words("times"):
        place -= 1  # "2 refurbished servers"
    if reader.token(place - 1) in counts:
        return float(counts[reader.token(place - 1)])
    number = reader.number_ending(place) if reader.message.gaps[place] in MACHINE_GAPS else None
    if number is not None and number.unit == PLAIN and 1 <= number.value <= MOST_MACHINES and reader.is_free(number):
        reader.message.take(number.start, place)
        return number.value
    return 1.0

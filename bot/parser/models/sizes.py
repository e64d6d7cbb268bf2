"""Sizes without a known name: "a 7b", "7/13/34B", "774M"; unknown names with a size ("MPT-7B"); mistyped ones."""

from collections.abc import Mapping
from functools import lru_cache
from operator import itemgetter

from bot.parser.models.book import models, resolve
from bot.parser.models.mentions import Mention, Size, named_models, written
from bot.parser.models.name import Name, read_name
from bot.parser.numbers import SIZE, Number, plain
from bot.parser.text import JOINED, Message
from bot.parser.words import spelled, words

LARGEST_B = 5000
BY_PLACE = itemgetter(0)
UNITS_OF_SIZES = (SIZE, "m")
MOST_SIZES = 6
ALIKE = 80.0
"""How similar (0 to 100) a mistyped family name must be: qwn and qwen, misral and mistral."""
SHORTEST_WORD, LONGEST_WORD = 3, 40
"""Letters of a word that may be a mistyped name."""
MILLIONS = frozenset(
    {14, 22, 33, 66, 70, 82, 109, 110, 117, 120, 124, 125, 135, 160, 220, 250, 270, 300, 335, 340, 345, 350, 355, 360}
    | {400, 410, 500, 560, 600, 700, 740, 760, 762, 770, 774, 780, 800}
)
"""Sizes of small models in millions."""
RANGES = ("/", ",")


def read_models(message: Message, numbers: Mapping[int, Number]) -> tuple[list[Mention], list[Size]]:
    """Model mentions and bare sizes in order of place. Marks the tokens that it used."""
    mentions = named_models(message, numbers)
    return mentions, bare_sizes(message, numbers, mentions)


def bare_sizes(message: Message, numbers: Mapping[int, Number], mentions: list[Mention]) -> list[Size]:
    """Sizes that no name has taken. Unknown and mistyped names are added to `mentions`."""
    sizes: list[Size] = []
    for number in numbers.values():
        if number.unit not in UNITS_OF_SIZES or message.taken[number.start]:
            continue
        if number.unit == SIZE and 0 < number.value < LARGEST_B:
            mention = _mistyped(message, number) or _unknown(message, number)
            if mention is not None:
                mentions.append(mention)
                message.take(mention.start, mention.end)
                continue
            found = _several(message, number)
        elif number.unit == "m" and number.value in MILLIONS and not _counts_things(message, number):
            found = [(number.start, number.end, number.value / 1000)]
        else:
            continue
        for start, end, value in found:
            sizes.append((start, end, value))
            message.take(start, end)
    mentions.sort(key=BY_PLACE)
    return sizes


def _counts_things(message: Message, number: Number) -> bool:
    if number.end >= len(message.tokens) or message.parts[number.end] > JOINED:
        return False
    return message.tokens[number.end] in words("things") or message.tokens[number.end] in words("integrated")


def _mistyped(message: Message, number: Number) -> Mention | None:
    """ "qwn2.5 7b": a word before a size that is nearly a family's name, and with version and size names one row."""
    book, tokens, at = models(), message.tokens, number.start - 1
    version = None
    if at >= 1 and tokens[at][0].isdigit() and message.parts[number.start] <= JOINED:
        version, at = tokens[at], at - 1
    if at < 0 or message.taken[at] or message.parts[at + 1] > JOINED:
        return None
    word = tokens[at]
    if not word.isalpha() or len(word) < SHORTEST_WORD or word in words("ordinary") or word in words("other_families"):
        return None
    families = _families_like(word) if len(word) <= LONGEST_WORD else ()
    if not families or (word in spelled() and word not in families):
        return None  # "passt 32B" is no oasst, "deepspeed 7b" no deepseek
    found = [resolve(book, Name(words={family}, version=version, size=number.value), family) for family in families]
    sure = [(hub_id, others) for hub_id, others in found if hub_id is not None]
    if len(sure) != 1:
        return None
    hub_id, others = sure[0]
    return Mention(at, number.end, hub_id, number.value, None, None, written(message, at, number.end), others)


@lru_cache(maxsize=1024)
def _families_like(word: str) -> tuple[str, ...]:
    """The families whose names are nearest to a word."""
    from rapidfuzz import fuzz, process  # only for what no name matches: 3 MiB, and 30 ms of a start

    close = process.extract(word, models().families, scorer=fuzz.ratio, limit=3, score_cutoff=ALIKE)
    return tuple(family for family, score, _ in close if score == close[0][1])


def _unknown(message: Message, number: Number) -> Mention | None:
    """A size with a name joined before it that nobody knows: "MPT-7B"; "my SFT-8B" tells what was done to an 8B."""
    tokens, gaps, start = message.tokens, message.gaps, number.start
    first = start
    while (
        first > 0
        and start - first < MOST_SIZES
        and gaps[first] in ("-", "_", ".", "/")
        and not message.taken[first - 1]
    ):
        first -= 1
    if first == start or gaps[start] == "/":
        return None
    plainly = models().plain
    if not any(token[0].isalpha() and len(token) > 1 and token not in plainly for token in tokens[first:start]):
        return None
    name = read_name(tokens, gaps, start, plainly, frozenset())
    end = max(number.end, name.end)
    return Mention(first, end, None, number.value, name.active, name.bits, written(message, first, end))


def _several(message: Message, number: Number) -> list[Size]:
    """A size and those before it that share its unit: "7/13/34B"."""
    tokens = message.tokens
    found = [(number.start, number.end, number.value)]
    place = number.start
    while (
        place >= 1
        and message.gaps[place].strip() in RANGES
        and tokens[place - 1][0].isdigit()
        and len(found) < MOST_SIZES
    ):
        value = plain(tokens[place - 1], False)
        if value is None or not 0 < value < LARGEST_B or message.taken[place - 1]:
            break
        if message.gaps[place].strip() == "," and value >= found[0][2]:
            break  # "node has 256, 70B"
        if place >= 2 and (tokens[place - 2] in words("not_counts") or tokens[place - 2] in words("of")):
            break  # "bs 2, 7b", "epoch 3 of 5, 7b"
        if place >= 2 and tokens[place - 2] == "x":
            break  # "pcie x4, 8b"
        place -= 1
        found.insert(0, (place, place + 1, value))
    return found

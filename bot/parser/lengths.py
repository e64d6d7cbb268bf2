"""Sequence lengths: named ones, bare ones ("4k", 2048), and which is meant."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from bot.parser.clauses import Clauses
from bot.parser.findings import Findings, Found
from bot.parser.numbers import CURRENCY_MARKS, PLAIN, Number
from bot.parser.text import GLUED, JOINED, STOP, Message
from bot.parser.words import words

BARE = frozenset(
    {
        256,
        384,
        512,
        640,
        768,
        1024,
        1280,
        1536,
        2048,
        3072,
        4096,
        6144,
        8192,
        10240,
        12288,
        16384,
        24576,
        32768,
        65536,
        131072,
    }
)
"""Bare numbers that people only write for a length."""
SEVERAL = 2
SHORTEST_K, LONGEST_K = 0.25, 2048
LONGEST_BARE = 262_144
"""Tokens that a number without any word may stand for: models are made for no more, but for a few."""
ROUND = 5
"""Thousands: lengths are powers of two, or eight of one, and people count examples in fives and tens."""
GOAL_REACH = 6
"""Tokens between "Ziel" and the last length that it names."""
FILE_REACH = 5
"""Tokens between a file and its size."""


def state_length(
    good: list[tuple[Found, Any]], message: Message, findings: Findings, clauses: Clauses, numbers: Mapping[int, Number]
) -> Any:
    """The named length that is meant; when it worked and a bare one elsewhere in the message did not, the bare one."""
    limits = words("limits")
    good = [(f, v) for f, v in good if not clauses.hearsay(f.start)] or good  # "the docs use 2048. I need 8k context"
    set_by_name = [(f, v) for f, v in good if any(token in limits for token in message.tokens[f.start : f.end])]
    told = set_by_name or good
    asked = [value for f, value in told[1:] if "?" in message.gaps[f.end]]
    if asked and clauses.of(told[0][0].start) not in clauses.bad:
        return asked[-1]  # "max_length 2048 uses 19 GB. max_length 4096?"
    found, value = told[clauses.choose([found.start for found, _ in told])]
    if clauses.of(found.start) in clauses.bad:
        return value
    used = {found.number.start for found in findings.slots if found.number is not None}
    for number in numbers.values():
        free = (
            (number.unit == "k" or (number.unit == PLAIN and number.value in BARE))
            and number.start not in used
            and not message.taken[number.start]
            and is_alone(message, number)
        )
        if free and clauses.of(number.start) in clauses.bad and not clauses.hearsay(number.start):
            return number.length
    return value


def bare_lengths(message: Message, numbers: Mapping[int, Number], findings: Findings) -> list[Number]:
    """Numbers that stand alone and are a length: "4k", "32K", 2048."""
    others = {f.number.start: f.number for f in findings.slots if f.number is not None and f.target.name != "seq_len"}
    return [
        number
        for number in numbers.values()
        if _is_usual(number)
        and not message.taken[number.start]
        and is_alone(message, number)
        and not of_file(message, number)
        and not _of_things(message, number, numbers)
        and not _is_one_of(message, number, others)
        and not _is_divisor(message, number)
        and (number.length <= LONGEST_BARE or _told_as_length(message, number))
    ]


def _is_one_of(message: Message, number: Number, others: Mapping[int, Number]) -> bool:
    """ "batch size 128 or 512", "53k tokens/s ... 60M / 53k": the other side of a choice, or a figure said again, of
    what is called something else.
    """
    for other in others.values():
        if other.value == number.value and other.unit == number.unit and number.unit:
            return not _told_as_length(message, number)
        between = message.tokens[other.end : number.start]
        beside = len(between) == 1 and between[0] in words("choosing")
        if other.unit == number.unit and (
            beside or (not between and message.gaps[number.start].strip() in ("/", "->"))
        ):
            return True
    return False


def _is_divisor(message: Message, number: Number) -> bool:
    """The 53k of "60M / 53k = 19 minutes"."""
    before = message.gaps[number.start].strip() in ("/", ":") and number.start > 0 and message.figures[number.start - 1]
    return before and message.gaps[number.end].strip() == "="


def _told_as_length(message: Message, number: Number) -> bool:
    """ "at 512k", and a word for lengths anywhere: without one so large a number is a size or an amount."""
    return "limits" in message.said or message.token(number.start - 1) in words("at")


def _of_things(message: Message, number: Number, numbers: Mapping[int, Number]) -> bool:
    """ "12,000 examples, or do I need 50k": a round number of thousands where examples are counted and no length is."""
    if (
        _told_as_length(message, number)
        or number.unit != "k"
        or number.value % ROUND
        or "example_words" not in message.said
    ):
        return False
    counted = (n.end for n in numbers.values() if n is not number and message.token(n.end) in words("example_words"))
    return any(message.parts[end] <= JOINED for end in counted)


def of_file(message: Message, number: Number) -> bool:
    """ "tokenizer.model is 500K", "the dataset: 120k": the size of a file."""
    passed = words("of_data") | words("is_words")
    for place in range(number.start - 1, max(-1, number.start - 1 - FILE_REACH), -1):
        if message.parts[place + 1] >= STOP:
            return False
        word = message.tokens[place]
        if word in words("file_words"):
            return True
        if word in words("held_in_files"):  # "base is 16G"; "13b model 24gb" is a card
            return place < number.start - 1 or ":" in message.gaps[number.start]
        if word not in passed:
            return False
    return False


def is_alone(message: Message, number: Number) -> bool:
    """Whether nothing beside a number says that it is something else: money, a step, a resolution."""
    tokens, gaps, start, end = message.tokens, message.gaps, number.start, number.end
    before = gaps[start]
    if before[-1:] in CURRENCY_MARKS or before[-1:] in ("#", "%") or (before == "-" and start):
        return False
    if before[-1:] == "@" and number.unit != "k":  # "@4k" is a length, "@2048" may be anything
        return False
    if start and (
        (message.parts[start] == GLUED and tokens[start - 1].isascii())
        or (tokens[start - 1] in words("not_lengths_before") and not _of_rows(message, start))
    ):
        return False
    if tokens[end : end + 1] == ["x"] or (start and tokens[start - 1] == "x"):
        return False
    if end < len(tokens):
        if gaps[end][:1] in CURRENCY_MARKS or gaps[end][:1] == "%":
            return False
        return message.parts[end] > JOINED or tokens[end] not in words("not_lengths_after")
    return True


def _of_rows(message: Message, start: int) -> bool:
    """ "2000 samples of 4k"."""
    return message.tokens[start - 1] in words("of") and message.token(start - 2) in words("rows")


def are_asked(message: Message, bare: list[Number]) -> bool:
    """ "16k? 32k?", "4096 vs 8192": lengths to choose from."""
    if len(bare) < SEVERAL:
        return False
    beside = (before.end + 1 == number.start for before, number in pairwise(bare))
    compared = any(
        near and message.tokens[number.start - 1] in words("choosing")
        for near, number in zip(beside, bare[1:], strict=True)
    )
    return compared or sum("?" in message.gaps[number.end] for number in bare) > 1


def length_to_reach(message: Message, numbers: Mapping[int, Number]) -> int | None:
    """ "512 takes 19 GB, so no way to go 1024?": the length that a run is to get to, where it has another now."""
    if "aiming_at" in message.said and (goal := _aimed_at(message, numbers)) is not None:
        return goal
    if "reaching" not in message.said or "?" not in message.text:
        return None
    goals = words("reaching")
    for number in numbers.values():
        usual = number.value in BARE if number.unit == PLAIN else number.unit == "k"
        before = number.start - 1
        if not usual or before < 0:
            continue
        before -= before > 0 and message.tokens[before] in words("towards")
        if message.tokens[before] in goals and is_alone(message, number):
            return number.length
    return None


def _aimed_at(message: Message, numbers: Mapping[int, Number]) -> int | None:
    """ "nur 2k Kontext. Ziel wären 200k oder wenigstens 32k": what is to do at least, else the first goal."""
    goals: list[Number] = []
    for number in numbers.values():
        usual = number.value in BARE if number.unit == PLAIN else number.unit == "k"
        if not usual or not is_alone(message, number):
            continue
        first = number.start
        while first > max(0, number.start - GOAL_REACH) and message.parts[first] < STOP:
            first -= 1
        if not words("aiming_at").isdisjoint(message.tokens[first : number.start]):
            goals.append(number)
    least = (goal for goal in goals if message.token(goal.start - 1) in words("at_the_least"))
    goal = next(least, goals[0] if goals else None)
    return None if goal is None else goal.length


def longest_ran(
    message: Message, findings: Findings, clauses: Clauses, numbers: Mapping[int, Number], asked: int | None
) -> int | None:
    """ "24K context trains, 32K goes OOM": the longest length that ran, where a longer one failed or is asked."""
    if not clauses.good or asked is None:
        return None
    ran = [
        number.length
        for number in _lengths(message, findings, numbers)
        if clauses.of(number.start) in clauses.good - clauses.bad and not clauses.hearsay(number.start)
    ]
    longest = max(ran, default=0)
    return longest if 0 < longest < asked else None


def length_that_failed(
    message: Message, findings: Findings, clauses: Clauses, numbers: Mapping[int, Number], asked: int | None
) -> int | None:
    """ "dies at 2048": the asked length stands in a clause that tells of running out of memory."""
    if asked is None or not clauses.bad:
        return None
    failed = clauses.bad - clauses.good
    lengths = _lengths(message, findings, numbers)
    return asked if any(n.length == asked and clauses.of(n.start) in failed for n in lengths) else None


def _lengths(message: Message, findings: Findings, numbers: Mapping[int, Number]) -> Iterator[Number]:
    """Numbers that are called a length, or that stand alone and look like one."""
    named = {f.number.start for f in findings.slots if f.target.name == "seq_len" and f.number is not None}
    for number in numbers.values():
        if number.start in named or (_is_usual(number) and is_alone(message, number)):
            yield number


def _is_usual(number: Number) -> bool:
    """It looks like a length: "4k", 2048."""
    if number.unit == PLAIN:
        return number.value in BARE
    return number.unit == "k" and SHORTEST_K <= number.value <= LONGEST_K

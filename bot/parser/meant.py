"""Which of several numbers of a slot is meant, and whether it is one of a choice."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from bot.parser.clauses import Clauses
from bot.parser.findings import Findings, Found
from bot.parser.numbers import PLAIN, Number
from bot.parser.text import STOP, Message
from bot.parser.words import words

WITHOUT_UNIT = frozenset({"micro_batch", "grad_accum", "lora_rank", "n_gpus"})
SIDES_REACH = 8
"""Tokens between the two sides of a choice."""
MOST_LISTED = 4
"""Values of one list that are looked at."""
OWN_DATA_REACH = 4
"""Tokens between "i have" or "enough" and the rows."""
CHANGED_REACH = 3
"""Tokens between "went to" and the new value."""


def meant(slot: str, good: list[tuple[Found, Any]], message: Message, clauses: Clauses) -> int:
    """Which of several: "micro batch" says more than "batch"; what went wrong says more than what worked."""
    if slot == "micro_batch":
        for place, (found, _) in enumerate(good):
            if any(word in words("finer_batch") for word in message.tokens[found.start : found.end]):
                return place
    if slot in WITHOUT_UNIT:
        for place, (found, _) in enumerate(good):
            before = message.tokens[max(0, found.start - CHANGED_REACH) : found.start]
            if place and words("changed_to").intersection(before) and words("towards").intersection(before):
                return place  # "bs 8 OOMs, so i went to bs 1"
    if slot in WITHOUT_UNIT:
        return clauses.choose([found.start for found, _ in good])
    return _own_data([found for found, _ in good], message, clauses) if slot == "dataset_examples" else 0


def _own_data(all_found: list[Found], message: Message, clauses: Clauses) -> int:
    """ "is 52k examples a must? are 500 rows enough": the data that the asker has or asks about."""

    def owned(found: Found) -> tuple[bool, bool]:
        first = found.start
        while first > max(0, found.start - OWN_DATA_REACH) and message.parts[first] < STOP:
            first -= 1
        before = message.tokens[first : found.start]
        behind = message.tokens[found.end : found.end + OWN_DATA_REACH]
        mine = not words("having_data").isdisjoint(before) or not words("is_it_enough").isdisjoint({*before, *behind})
        theirs = clauses.hearsay(found.start) or not words("as_demanded").isdisjoint({*before, *behind})
        return mine and not theirs, not theirs

    return max(range(len(all_found)), key=lambda place: (owned(all_found[place]), -place))


def of_a_choice(
    found: Found, message: Message, findings: Findings, numbers: Mapping[int, Number], others: set[int]
) -> bool:
    """ "rank 8 vs 64?", "r=8 or r=128", "batch 1/2/4": values that are compared."""
    end = found.end
    for _ in range(MOST_LISTED):  # "rank 8, 32 or 128"
        if end not in numbers or message.gaps[end].strip() != "," or numbers[end].unit != PLAIN:
            break
        end = numbers[end].end
    slash = message.gaps[end] == "/" and end in numbers
    return slash or (end in findings.marks.get("alternative", ()) and (end + 1 in numbers or end + 1 in others))


def are_sides(good: list[tuple[Found, Any]], findings: Findings) -> bool:
    """ "r=8 on q,k vs r=64 on everything": two values with a word for a choice between them."""
    places = findings.marks.get("alternative", ())
    return any(
        one[1] != two[1] and any(one[0].end <= place <= two[0].start for place in places)
        for one, two in pairwise(good)
        if two[0].start - one[0].end <= SIDES_REACH
    )


def said_again(found: Found, message: Message, clauses: Clauses, numbers: Mapping[int, Number]) -> int | None:
    """The second value in "gradient accumulation 1 is fine, with 4 it goes OOM": the one that failed."""
    if clauses.of(found.start) not in clauses.good:
        return None
    for number in numbers.values():
        free = number.start > found.end and number.unit == PLAIN and not message.taken[number.start]
        if not free or number.value != int(number.value) or clauses.of(number.start) not in clauses.bad:
            continue
        first = number.start in clauses.starts
        if first or message.tokens[number.start - 1] in words("with"):
            return int(number.value)
    return None

"""Whether a number beside a slot's word is something else: "batch-1", "[rank3]", "after epoch 3", "500 of them"."""

from collections.abc import Callable, Mapping

from bot.parser.findings import Found
from bot.parser.lengths import BARE
from bot.parser.numbers import Number
from bot.parser.text import GLUED, JOINED, Message
from bot.parser.words import words

COUNTING_UNITS = frozenset({"k", "m", "thousand", "wan"})
FEWEST_OF_AN_EPOCH = 500
"""Nobody trains so many epochs: it is what one goes over."""
LEAST_RANK = 2
MOST_OF_THEM = 16
"""Cards of "8 of them"."""
FIRST_CHIP = 100
"""GA100."""
TRIED_REACH = 3
"""Tokens between "tried" and "2 of them"."""


def are_long_things(found: Found, number: Number, message: Message) -> bool:
    """ "10k long documents" are so many; "8k lange Texte" are so long: lengths are powers of two."""
    if found.end >= len(message.tokens) or message.tokens[found.end - 1] not in words("long_words"):
        return False
    if message.tokens[found.end] not in words("rows") or message.parts[found.end] > JOINED:
        return False
    if number.unit == "k":
        return not float(number.value).is_integer() or not _is_power_of_two(int(number.value))
    return number.value not in BARE


def _is_power_of_two(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


def _is_no_length(found: Found, number: Number, message: Message) -> bool:
    """ "10k long documents" counts them; "documents of 500 words" has another unit."""
    if are_long_things(found, number, message):
        return True
    behind = number.end == found.end and message.token(found.end) in words("not_lengths_after")
    return behind and found.target.phrase.endswith(" {n}") and message.parts[found.end] <= JOINED


def _is_no_batch(found: Found, number: Number, message: Message) -> bool:
    """ "batch-1" takes one away; "50 MB, 3 epochs"."""
    if message.gaps[number.start] == "-":
        return True
    return message.tokens[found.start] == "mb" and message.token(found.start - 1)[:1].isdigit()


def _is_process(found: Found, number: Number, message: Message) -> bool:
    """ "OOM on rank 1", "[rank3]: out of memory": one of several processes."""
    one = number.value < LEAST_RANK or message.gaps[found.start][-1:] == "["
    return one and message.tokens[found.start] == "rank"


def _is_no_length_of_run(found: Found, number: Number, message: Message) -> bool:
    """ "'epoch': 0.31" of a progress line, "after epoch 3" and "flat after 0.15 epochs" are places in a run."""
    behind, part = number.start > found.start, number.value != int(number.value)
    if number.unit in COUNTING_UNITS or number.value >= FEWEST_OF_AN_EPOCH:
        return True
    if part and (number.value < 1 or behind):
        return True
    one = behind and message.tokens[found.start] in words("one_epoch")
    if one and not set(message.gaps[number.start]) & set("=:"):
        return True
    return message.token(found.start - 1) in words("at_place")


def _is_no_count(found: Found, number: Number, message: Message) -> bool:
    """ "500 of them are long" are no cards; "also tried 2 of them" is not how many there are."""
    if number.start != found.start:
        return False
    before = message.tokens[max(0, number.start - TRIED_REACH) : number.start]
    return number.value > MOST_OF_THEM or not words("tried").isdisjoint(before)


def _is_chip(found: Found, number: Number, message: Message) -> bool:
    """ "GA102" is a chip, no accumulation."""
    return message.parts[number.start] == GLUED and number.value >= FIRST_CHIP and number.start == found.start + 1


REFUSED: Mapping[str, Callable[[Found, Number, Message], bool]] = {
    "micro_batch": _is_no_batch,
    "lora_rank": _is_process,
    "epochs": _is_no_length_of_run,
    "seq_len": _is_no_length,
    "n_gpus": _is_no_count,
    "grad_accum": _is_chip,
}
"""Slot → whether a number beside one of its words is something else."""

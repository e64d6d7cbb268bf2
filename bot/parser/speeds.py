"""How fast a run was seen to be: "900 tok/s", "14 s/it", "1.2 it/s"."""

from collections.abc import Mapping

from bot.parser.numbers import PLAIN, Number
from bot.parser.slots import Slots
from bot.parser.text import Message
from bot.parser.words import words

FASTEST_TOKENS, SLOWEST_STEP_S = 100_000_000.0, 1_000_000.0


def state_speed(slots: Slots, message: Message, numbers: Mapping[int, Number]) -> None:
    """Fills seen_tokens_per_s and seen_s_per_step with the first of each."""
    if words("per_second").isdisjoint(message.tokens):
        return
    for number in numbers.values():
        if number.unit not in (PLAIN, "k") or not number.value:
            continue
        unit, per = message.token(number.end), _divided_by(message, number.end + 1)
        if unit in words("token_units") and per in words("per_second"):
            if number.things <= FASTEST_TOKENS and "seen_tokens_per_s" not in slots.values:
                slots.state("seen_tokens_per_s", number.things)
        elif "seen_s_per_step" not in slots.values:
            seconds = number.value if unit in words("per_second") and per in words("steps_made") else None
            if unit in words("steps_made") and per in words("per_second"):
                seconds = 1 / number.value
            if seconds is not None and seconds <= SLOWEST_STEP_S:
                slots.state("seen_s_per_step", round(seconds, 6))


def _divided_by(message: Message, at: int) -> str:
    """The unit after a slash, "per" or "a"."""
    if message.token(at) in words("per"):
        return message.token(at + 1)
    return message.token(at) if at < len(message.tokens) and "/" in message.gaps[at] else ""

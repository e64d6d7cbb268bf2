"""How fast a run was seen to be: "900 tok/s", "14 s/it", "1.2 it/s", "7 days for 120k steps"."""

from collections.abc import Mapping

from bot.parser.numbers import PLAIN, Number
from bot.parser.slots import Slots
from bot.parser.text import Message
from bot.parser.words import words

FASTEST_TOKENS, SLOWEST_STEP_S = 100_000_000.0, 1_000_000.0
SERVED_REACH = 8
"""Tokens between what serves a model and its speed."""
WISH_REACH = 3
"""Tokens between "at least" and a speed."""
LEAST_STEP_S, FEWEST_STEPS = 0.01, 50
"""A step takes longer, and a run has more of them, than that."""


def state_speed(slots: Slots, message: Message, numbers: Mapping[int, Number]) -> None:
    """Fills seen_tokens_per_s and seen_s_per_step with the first of each; the latter also from hours of so many
    steps. Of several speeds of a step all are named.
    """
    seconds: list[float] = []
    if "per_second" in message.said or "milliseconds" in message.said:
        for number in numbers.values():
            if number.unit not in (PLAIN, "k") or not number.value:
                continue
            unit, per = message.token(number.end), _divided_by(message, number.end + 1)
            if unit in words("token_units") and per in words("per_second"):
                if number.things <= FASTEST_TOKENS and not _is_wished(message, number):
                    slots.state("seen_tokens_per_s", number.things)
            elif (took := _of_a_step(number, unit, per)) is not None and took <= SLOWEST_STEP_S:
                seconds.append(round(took, 6))
    if not seconds and (took := _of_all_steps(slots, message, numbers)) is not None:
        seconds.append(took)
    if seconds:
        slots.state("seen_s_per_step", seconds[0])
        _steps_to_go(slots, message, numbers)
    if len(set(seconds)) > 1:
        slots.named["seen_s_per_step"] = tuple(f"{second:g}" for second in dict.fromkeys(seconds))


def _steps_to_go(slots: Slots, message: Message, numbers: Mapping[int, Number]) -> None:
    """ "1.2 s/it, 12000 steps to go": how many steps are told beside the seconds of one."""
    steps = {
        round(number.things)
        for number in numbers.values()
        if number.unit in (PLAIN, "k") and number.things >= FEWEST_STEPS and counts_steps(message, number)
    }
    if len(steps) == 1:
        slots.named["steps"] = (str(steps.pop()),)


def _is_wished(message: Message, number: Number) -> bool:
    """ "mind. 5 Token/s", "at least 20 tok/s", "> 10 t/s": a speed that is wanted, or one of running, not training."""
    before = message.tokens[max(0, number.start - WISH_REACH) : number.start]
    if not words("serving").isdisjoint(message.tokens[max(0, number.start - SERVED_REACH) : number.start]):
        return True  # "Ollama runs my 70b at 3 t/s"
    return ">" in message.gaps[number.start] or not words("wished_for").isdisjoint(before)


def _of_a_step(number: Number, unit: str, per: str) -> float | None:
    """ "14 s/it", "1.2 it/s"."""
    if unit in words("per_second") and per in words("steps_made"):
        return number.value
    if unit in words("milliseconds") and per in words("steps_made"):
        return number.value / 1000
    return 1 / number.value if unit in words("steps_made") and per in words("per_second") else None


def _of_all_steps(slots: Slots, message: Message, numbers: Mapping[int, Number]) -> float | None:
    """ "7 days for 120k steps": the seconds of each, where one number of steps is told beside one duration."""
    took = slots.values.get("took_hours")
    if took is None or "steps_made" not in message.said:
        return None
    steps = {
        number.things
        for number in numbers.values()
        if number.unit in (PLAIN, "k") and number.things >= FEWEST_STEPS and counts_steps(message, number)
    }
    each = took * 3600 / steps.pop() if len(steps) == 1 else 0.0
    return round(each, 6) if LEAST_STEP_S <= each <= SLOWEST_STEP_S else None


def counts_steps(message: Message, number: Number) -> bool:
    """ "120k steps" of the run; "warmup 100 steps", "every 500 steps" and "gradient accumulation steps" are others."""
    if message.token(number.start) in words("card_numbers"):
        return False  # "on my 3090 it says 31 hours"
    before = {message.token(number.start - 1), message.token(number.start - 2)}
    return message.token(number.end) in words("steps_made") and before.isdisjoint(words("other_steps"))


def _divided_by(message: Message, at: int) -> str:
    """The unit after a slash, "per" or "a"."""
    if message.token(at) in words("per"):
        return message.token(at + 1)
    return message.token(at) if at < len(message.tokens) and "/" in message.gaps[at] else ""

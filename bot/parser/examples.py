"""How long examples are: "samples of ~800 tokens", "je Beispiel 1500 Token", "prompt 1024, response 3072"."""

from collections.abc import Mapping

from advisor.stacks import SEQ_LEN
from bot.parser.numbers import PLAIN, Number
from bot.parser.slots import Slots
from bot.parser.text import BRACKET, COMMA, STOP, Message
from bot.parser.words import words

UNITS = (PLAIN, "k")
BEFORE, BEHIND = 5, 4
"""Tokens between a number and the word that says what it is of."""
SHORTEST, LONGEST = 16, 200_000
"""Tokens of a prompt, an answer or an example."""


def state_examples(slots: Slots, message: Message, numbers: Mapping[int, Number]) -> None:
    """Fills tokens_per_example; and seq_len with prompt and answer together."""
    said = message.said
    if "answer_part" in said and "prompt_part" in said and (both := _both_parts(message, numbers)) is not None:
        if "example_words" in said and "limits" not in said:
            slots.state("tokens_per_example", both)
        if both > slots.values.get("seq_len", 0):
            slots.drop("seq_len")
            slots.state("seq_len", both)
    if "example_words" not in said or "token_units" not in said or "tokens_per_example" in slots.values:
        return
    for number in numbers.values():
        tokens = number.unit in UNITS and message.token(number.end) in words("token_units")
        if tokens and SHORTEST <= number.length <= LONGEST and _of_an_example(message, number):
            slots.state("tokens_per_example", number.length)
            assume_room(slots)
            return


def assume_room(slots: Slots) -> None:
    """Examples longer than answers assume are worth assuming as length."""
    if slots.values.get("tokens_per_example", 0) > SEQ_LEN:
        slots.assume("seq_len", slots.values["tokens_per_example"])


def _both_parts(message: Message, numbers: Mapping[int, Number]) -> int | None:
    """The tokens of a prompt and of its answer together, where one number is told of each."""
    parts: dict[str, int] = {}
    for number in numbers.values():
        if number.unit not in UNITS or not SHORTEST <= number.length <= LONGEST:
            continue
        name = _part(message, number)
        if name in parts:
            return None  # several, to choose from
        if name is not None:
            parts[name] = number.length
    return sum(parts.values()) if len(parts) > 1 else None


def _part(message: Message, number: Number) -> str | None:
    """The part that the nearest word before a number names in its clause, else the one behind it; behind a "for" it is
    the one that follows: "300 tokens for the prompt and 700 for the answer".
    """
    after = number.end + (message.token(number.end) in words("token_units"))
    ways = [_behind(message, number), _before(message, number)]
    return next(filter(None, ways if message.token(after) in words("meant_for") else reversed(ways)), None)


def _before(message: Message, number: Number) -> str | None:
    for place in range(number.start - 1, max(-1, number.start - BEFORE), -1):
        if message.parts[place + 1] >= COMMA or message.figures[place]:
            break
        if (name := _name(message.tokens[place])) is not None:
            return name
    return None


def _behind(message: Message, number: Number) -> str | None:
    for place in range(number.end, min(len(message.tokens), number.end + BEHIND + 1)):
        if message.parts[place] >= COMMA or message.figures[place]:
            break
        if (name := _name(message.tokens[place])) is not None:
            return name
    return None


def _name(token: str) -> str | None:
    return next((name for name in ("answer_part", "prompt_part") if token in words(name)), None)


def _of_an_example(message: Message, number: Number) -> bool:
    """Whether the tokens are those of one example, and no limit."""
    tokens, parts = message.tokens, message.parts
    for place in range(number.start - 1, max(-1, number.start - 1 - BEFORE), -1):
        if parts[place + 1] >= COMMA or tokens[place] in words("limits") | words("upper_limit"):
            break
        if tokens[place] in words("example_words"):
            return True
    behind = range(number.end + 1, min(len(tokens), number.end + 1 + BEHIND))
    for place in behind:
        if parts[place] >= STOP or (parts[place] > BRACKET and place > number.end + 1):
            return False
        if tokens[place] in words("limits"):
            return False
        if tokens[place] in words("one_of_examples"):
            following = message.token(place + 1)
            return following in words("example_words") or following in words("one_example")
    return False

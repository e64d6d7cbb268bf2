"""The size of a data set in bytes, characters or words, as tokens: "2 GB of text", "300k words of dialogue"."""

from collections.abc import Mapping

from bot.parser.examples import assume_room
from bot.parser.numbers import MEMORY, PLAIN, Number
from bot.parser.slots import Slots
from bot.parser.text import COMMA, JOINED, STOP, Message
from bot.parser.words import words

BYTES_PER_TOKEN = 4.0
"""Characters of English text per token of a usual vocabulary (OpenAI, "What are tokens and how to count them?")."""
TOKENS_PER_WORD = 4 / 3
"""The same page: a token is about three quarters of a word."""
BYTES = {"mb": 1e6, MEMORY: 1e9}
KILOBYTES = frozenset({"kb", "kib", "kilobyte", "kilobytes"})
KILO = 1e3
LONGEST = 200_000
"""Tokens of an example: more are no text."""
ROUND = 100
"""Tokens to which a length that follows from a file's size is told."""
COUNTS = (PLAIN, "k", "thousand", "m", "wan")
LEAST_TEXT = 30_000
"""Words or characters: fewer are one long example."""
REACH = 3
"""Tokens between an amount and what it is of."""


def state_volume(slots: Slots, message: Message, numbers: Mapping[int, Number]) -> None:
    """Assumes dataset_tokens from what the text says about the size of the data, and the length of its examples where
    their number is told.
    """
    if "text_data" not in message.said and "text_units" not in message.said:
        return
    for number in numbers.values():
        size = _bytes(message, number)
        tokens = None if size is None else size / BYTES_PER_TOKEN
        if size is not None and not is_of_data(message, number) and not _beside_rows(slots, message, number):
            continue
        if tokens is None and number.unit in COUNTS and not _each(message, number):
            unit = message.token(number.end)
            if number.things < LEAST_TEXT:
                continue  # "chapters of 9000 words"
            if unit in words("characters"):
                tokens = number.things / BYTES_PER_TOKEN
            elif unit in words("text_words"):
                tokens = number.things * TOKENS_PER_WORD
        if tokens is not None and tokens >= 1:
            slots.assume("dataset_tokens", round(tokens))
            _share_out(slots, tokens)
            return


def _bytes(message: Message, number: Number) -> float | None:
    """ "730 KB", "50 MB", "2 GB"; None for what is no size of a file."""
    if number.unit in BYTES:
        return number.value * BYTES[number.unit]
    kilo = number.unit == PLAIN and message.token(number.end) in KILOBYTES
    return number.value * KILO if kilo and message.parts[number.end] <= JOINED else None


def _beside_rows(slots: Slots, message: Message, number: Number) -> bool:
    """ "dataset of 10k samples, 50 MB": in the sentence of the data whose examples are counted."""
    if not slots.states("dataset_examples") or number.unit == MEMORY:
        return False
    for place in range(number.start - 1, -1, -1):
        if message.parts[place + 1] >= STOP:
            return False
        if message.tokens[place] in words("text_data"):
            return True
    return False


def _share_out(slots: Slots, tokens: float) -> None:
    """The length of an example: "40 examples, the file is 730 KB" are 4,600 tokens each."""
    rows = slots.values.get("dataset_examples") if slots.states("dataset_examples") else None
    each = round(tokens / rows / ROUND) * ROUND if rows else 0
    if 0 < each <= LONGEST and "tokens_per_example" not in slots.values:
        slots.assume("tokens_per_example", each)
        assume_room(slots)


def is_of_data(message: Message, number: Number) -> bool:
    """ "2 GB of text", "a 50 MB json", "dataset is only 300 MB"."""
    for place in range(number.end, min(len(message.tokens), number.end + REACH)):
        if message.parts[place] >= COMMA:
            break
        if message.tokens[place] in words("text_data"):
            return True
        if message.tokens[place] not in words("of_data"):
            break
    for place in range(number.start - 1, max(-1, number.start - 1 - REACH), -1):
        if message.parts[place + 1] >= COMMA:
            return False
        if message.tokens[place] in words("text_data"):
            return True
    return False


def _each(message: Message, number: Number) -> bool:
    """ "300 words per example": a length, no volume."""
    if "each_of" not in message.said:
        return False
    following = range(number.end + 1, min(len(message.tokens), number.end + 1 + REACH))
    return any(message.tokens[place] in words("each_of") for place in following if message.parts[place] <= JOINED)

"""The size of a data set in bytes, characters or words, as tokens: "2 GB of text", "300k words of dialogue"."""

from collections.abc import Mapping

from bot.parser.numbers import MEMORY, PLAIN, Number
from bot.parser.slots import Slots
from bot.parser.text import COMMA, JOINED, Message
from bot.parser.words import words

BYTES_PER_TOKEN = 4.0
"""Characters of English text per token of a usual vocabulary (OpenAI, "What are tokens and how to count them?")."""
TOKENS_PER_WORD = 4 / 3
"""The same page: a token is about three quarters of a word."""
BYTES = {"mb": 1e6, MEMORY: 1e9}
COUNTS = (PLAIN, "k", "thousand", "m", "wan")
LEAST_TEXT = 30_000
"""Words or characters: fewer are one long example."""
REACH = 3
"""Tokens between an amount and what it is of."""


def state_volume(slots: Slots, message: Message, numbers: Mapping[int, Number]) -> None:
    """Assumes dataset_tokens from what the text says about the size of the data."""
    if "text_data" not in message.said and "text_units" not in message.said:
        return
    for number in numbers.values():
        tokens = None
        if number.unit in BYTES and is_of_data(message, number):
            tokens = number.value * BYTES[number.unit] / BYTES_PER_TOKEN
        elif number.unit in COUNTS and not _each(message, number):
            unit = message.token(number.end)
            if number.things < LEAST_TEXT:
                continue  # "chapters of 9000 words"
            if unit in words("characters"):
                tokens = number.things / BYTES_PER_TOKEN
            elif unit in words("text_words"):
                tokens = number.things * TOKENS_PER_WORD
        if tokens is not None and tokens >= 1:
            slots.assume("dataset_tokens", round(tokens))
            return


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

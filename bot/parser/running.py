"""A model that is to be run and, as the text says, not trained: "faire tourner (pas entraîner)", "no training"."""

from advisor.query import Kind
from bot.parser.slots import Slots
from bot.parser.text import COMMA, STOP, Message
from bot.parser.words import words

OF_A_CARD = frozenset(
    {
        Kind.WHICH_GPU,
        Kind.FITS_CHECK,
        Kind.COMPARE_GPUS,
        Kind.CONTEXT_LENGTH,
        Kind.MULTI_GPU,
        Kind.FAQ_DEFINITION,
    }
)
SAID = ("train_words", "deny_training", "run_words")
REACH = 4
"""Tokens between the denial and the training."""


def only_runs(message: Message, kind: Kind, slots: Slots, failed: bool) -> bool:
    """Whether what is asked about a card is asked for running alone."""
    said = message.said
    if kind not in OF_A_CARD or failed:
        return False
    if slots.later and not slots.states("trainer"):
        return "run_words" in said or said.issuperset(("token_units", "per_second"))
    if not said.issuperset(SAID):
        return False
    if slots.states("method") or slots.states("trainer") or slots.values.get("lora_rank"):
        return False
    trained = [place for place, word in enumerate(message.tokens) if word in words("train_words")]
    return bool(trained) and all(_denied(message, place) for place in trained)


def asks_to_train(message: Message) -> bool:
    """ "reicht eine T4, um es nachzutrainieren? zum Ausführen braucht es 13 GB": one question is of training alone."""
    if "train_words" not in message.said or "?" not in message.text:
        return False
    tokens, first = message.tokens, 0
    for end in range(1, len(tokens) + 1):
        if end < len(tokens) and message.parts[end] < STOP:
            continue
        said = range(first, end)
        trained = [place for place in said if tokens[place] in words("train_words")]
        if "?" in message.gaps[end] and trained and not any(_denied(message, place) for place in trained):
            return words("run_words").isdisjoint(tokens[first:end])
        first = end
    return False


def _denied(message: Message, place: int) -> bool:
    """A "no" before the word for training, with nothing but small words between."""
    for before in range(place - 1, max(-1, place - 1 - REACH), -1):
        if message.parts[before + 1] >= COMMA:
            return False
        if message.tokens[before] in words("deny_training"):
            return True
        if message.tokens[before] not in words("wanting"):
            return False
    return False

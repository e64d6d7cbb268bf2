"""Public data sets by name: "llama 3 8b on alpaca" is 52,002 examples, which nobody stated."""

from collections.abc import Sequence
from functools import cache

from bot.parser.models import Mention
from bot.parser.text import COMMA, JOINED, Message
from bot.parser.words import words
from knowledge.catalog import load_catalog
from knowledge.names import Trie, name_tokens

REACH = 4
"""Tokens between a word for data and the one that likens it: "a dataset of mine about as large as"."""


def known_rows(message: Message, mentions: list[Mention], sizes: Sequence[object]) -> tuple[int | None, list[Mention]]:
    """The examples of the first data set that is named, and the mentions that are models after all."""
    names, tokens = _names(), message.tokens
    mentions = _without_likened(message, mentions, sizes)
    if names.root.keys().isdisjoint(tokens):
        return None, mentions
    for at, token in enumerate(tokens):
        if token not in names.root:
            continue
        found = names.find(tokens, at)
        if found is None:
            continue
        end, examples = found
        as_model = next((mention for mention in mentions if mention.start < end and at < mention.end), None)
        if as_model is None and (end > at + 1 or _called_data(message, at, end)):
            return examples, mentions
        another = len(mentions) > 1 or len(sizes) > 0
        if as_model is None or not another or as_model.size is not None:
            continue
        if end > as_model.end or _called_data(message, at, end):
            return examples, [mention for mention in mentions if mention is not as_model]
    return None, mentions


def _without_likened(message: Message, mentions: list[Mention], sizes: Sequence[object]) -> list[Mention]:
    """The mentions without those that only tell what a data set is like, where another model or a size is named:
    "70B on a set comparable in size to airoboros 1.4", "auf einem Datensatz so groß wie Dolphin".
    """
    models = [mention for mention in mentions if mention.size is not None or not is_likened(message, mention.start)]
    return models if models or sizes else mentions


def is_likened(message: Message, start: int) -> bool:
    """Whether a word for data, and one that likens it to what follows, stand before a name in its clause."""
    if not message.said.issuperset(("data", "likening")):
        return False
    at = start - 1
    while at >= 0 and message.tokens[at] in words("likening_to") and message.parts[at + 1] < COMMA:
        at -= 1
    if at < 0 or message.tokens[at] not in words("likening") or message.parts[at + 1] >= COMMA:
        return False
    for before in range(at - 1, max(-1, at - 1 - REACH), -1):
        if message.parts[before + 1] >= COMMA:
            return False
        if message.tokens[before] in words("data"):
            return True
    return False


def recipe_rows(message: Message) -> int | None:
    """The examples that a model of a data set's name was made from: who trains "alpaca 7B" repeats its recipe."""
    names, tokens = _names(), message.tokens
    if names.root.keys().isdisjoint(tokens):
        return None
    found = (names.find(tokens, at) for at, token in enumerate(tokens) if token in names.root)
    return next((examples for _, examples in filter(None, found)), None)


def _called_data(message: Message, at: int, end: int) -> bool:
    """ "on alpaca", "the dolly dataset", "alpaca 52k"."""
    after = message.tokens[end] if end < len(message.tokens) and message.parts[end] <= JOINED else ""
    before = message.tokens[at - 1] if at else ""
    return before in words("trained_on") or after in words("data") or after[:1].isdigit()


@cache
def _names() -> Trie:
    names = Trie()
    for dataset in load_catalog().datasets.values():
        for written in (dataset.id, dataset.name, *dataset.aliases):
            names.add(name_tokens(written), dataset.examples)
    return names

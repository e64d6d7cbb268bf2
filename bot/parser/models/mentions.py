"""Finding model names in a message: aliases and read names, sizes around them, words joined before them."""

from collections.abc import Mapping
from functools import cache
from itertools import compress, count
from typing import Any, NamedTuple

from bot.parser.models.book import CLOSE, SHARE_OF_EXPERTS, Models, models, resolve
from bot.parser.models.name import LONGEST_NAME, Name, read_name
from bot.parser.numbers import SIZE, Number, plain
from bot.parser.text import BRACKET, GLUED, JOINED, Message
from bot.parser.words import words
from knowledge.names import below, ends, payload

LONGEST_WRITTEN = 60
"""Characters of a name that are kept when the catalog does not know it."""
SHORT_FOR = {"ds": "deepseek"}
SHORT_BEFORE = frozenset("rvc")
"""First letters of what follows a short name."""
NOTHING: frozenset[str] = frozenset()
FAR_OFF = 0.3
"""A size this far from the named model's is another model's."""


class Mention(NamedTuple):
    """A model at tokens[start:end]: its hub id or None, the size in billions that the text itself states."""

    start: int
    end: int
    id: str | None
    size: float | None
    active: float | None
    bits: int | None
    written: str
    others: tuple[str, ...] = ()


Size = tuple[int, int, float]
"""A bare size at tokens[start:end], in billions."""


def named_models(message: Message, numbers: Mapping[int, Number]) -> list[Mention]:
    """Model mentions in order of place. Marks the tokens that it used."""
    book = models()
    mentions: list[Mention] = []
    tokens, taken, starts = message.tokens, message.taken, book.starts
    until = 0
    for at in compress(count(), map(_first_words().__contains__, tokens)):
        token, following = tokens[at], message.token(at + 1)
        if token in SHORT_FOR and following[:1] in SHORT_BEFORE:
            token = SHORT_FOR[token]  # "ds r1", "ds v3", "ds coder"; "ds zero 3" is a trainer's
            message.respell(at, token)
        seconds = starts.get(token, NOTHING)
        if (seconds is not None and following not in seconds) or at < until or taken[at]:
            continue
        trainer = book.trainers.find(tokens, at) if token in book.trainers.root else None
        if trainer is not None and trainer[0] > at + 1:
            alias = _alias(book, message, at)
            if alias is None or alias[0] <= trainer[0]:  # "gpt4-x-alpaca" is more than "gpt4"
                until = trainer[0]
                continue
        mention = _size_first(book, message, at) if message.figures[at] else _mention(book, message, at)
        if mention is None:
            mention = _family_after_size(book, message, numbers, at)
        if mention is not None:
            mention = _with_size_around(book, message, numbers, _with_prefix(book, message, mention))
            mentions.append(mention)
            message.take(mention.start, mention.end)
            until = mention.end
    return mentions


@cache
def _first_words() -> frozenset[str]:
    """All that a name of a model or of a trainer begins with, written out or short."""
    return frozenset(models().starts) | SHORT_FOR.keys()


def _mention(book: Models, message: Message, at: int) -> Mention | None:
    family = message.tokens[at]
    alias = _alias(book, message, at)
    if family not in book.rows or family in book.plain:  # "meta" of Meta-Llama
        return None if alias is None else _of_alias(book, message, at, alias, None)
    name = read_name(message.tokens, message.gaps, at, book.plain, book.known(family))
    if alias is not None and (alias[0] >= name.end or name.size is None):
        return _newest(book, message, at, alias) or _of_alias(book, message, at, alias, name)
    if not (name.size or name.version) and alias is None:
        return None
    hub_id, others = resolve(book, name, family)
    if hub_id is None and name.size is None and (name.version or "")[:1] != "v":
        return None  # "deepseek v4" is a model that is not known
    size = _stated_size(book, hub_id, name)
    return Mention(at, name.end, hub_id, size, name.active, name.bits, written(message, at, name.end), others)


def _newest(book: Models, message: Message, at: int, alias: tuple[int, str]) -> Mention | None:
    """ "Qwen 14B", apart and in no path: the newest of that size, though the first one has no other name."""
    end, hub_id = alias
    entry = book.ambiguous.get(tuple(message.tokens[at:end])) if message.gaps[at + 1] == " " else None
    if entry is None or not entry.default or entry.default == hub_id or message.gaps[at][-1:] == "/":
        return None
    size = _size_in(message.tokens, at, end)
    return Mention(at, end, entry.default, size, None, None, written(message, at, end), tuple(entry.candidates))


def _of_alias(book: Models, message: Message, at: int, alias: tuple[int, str], name: Name | None) -> Mention:
    end, hub_id = alias
    if name is None:
        whole = "x" in message.tokens[at:end]  # "mistralai/Mixtral-8x22B-v0.1"
        size = book.params.get(hub_id) if whole else _size_in(message.tokens, at, end)
        return Mention(at, end, hub_id, size, None, None, written(message, at, end))
    if name.end > end:
        hub_id, end = resolve(book, name, message.tokens[at])[0] or hub_id, name.end
    size = _stated_size(book, hub_id, name) or _size_in(message.tokens, at, end)
    return Mention(at, end, hub_id, size, name.active, name.bits, written(message, at, end))


def _stated_size(book: Models, hub_id: str | None, name: Name) -> float | None:
    """The size that a name states; of "8x7B" the whole."""
    if name.size is None or not name.experts:
        return name.size
    return book.params.get(hub_id or "", name.size * name.experts * SHARE_OF_EXPERTS)


def _size_in(tokens: list[str], start: int, end: int) -> float | None:
    for place in range(start, end - 1):
        if tokens[place][0].isdigit() and tokens[place + 1] in ("b", "m"):
            value = plain(tokens[place], False)
            if value:
                return value if tokens[place + 1] == "b" else value / 1000
    return None


def _alias(book: Models, message: Message, at: int) -> tuple[int, str] | None:
    """The longest alias that starts here and is not torn apart by a comma or cut inside a size."""
    tokens, parts = message.tokens, message.parts
    node: Any = book.index.trie.root
    end, hub_id = at, ""
    for place, token in enumerate(tokens[at : at + LONGEST_NAME], at):
        if place > at and parts[place] > JOINED:
            break
        node = node.get(token) if type(node) is dict else below(node, token)
        if node is None:
            break
        if ("" in node if type(node) is dict else ends(node)) and not _by_chance(message, at, place):
            end, hub_id = place + 1, payload(node)
    if hub_id and message.gaps[end][:1] == "+":  # "command r+"
        plus = book.index.trie.find((*tokens[at:end], "plus"), 0)
        hub_id = plus[1] if plus is not None and plus[0] > end - at else hub_id
    if not hub_id or (end == at + 1 and len(tokens[at]) <= 2 and at and parts[at] == GLUED):
        return None
    if end < len(tokens) and message.gaps[end] == "-" and _is_code(tokens[end]):
        return None  # "falcon-h1" is no Falcon
    if end - at > 3 and tokens[end - 1] == "k" and message.gaps[end - 2] == " ":  # "llama2 7b 32k": a length
        shorter = book.index.trie.find(tokens[: end - 2], at)
        if shorter is not None:
            return shorter
    cut_size = end < len(tokens) and parts[end] == GLUED and tokens[end] in ("b", "m") and tokens[end - 1][0].isdigit()
    if cut_size and end - 1 > at:
        shorter = book.index.trie.find(tokens[: end - 1], at)
        return None if shorter is None else shorter
    return end, hub_id


def _is_code(token: str) -> bool:
    """ "h1": a letter and digits that are no version (v2), rank (r16) or active size (a3)."""
    return len(token) > 1 and token[1:].isdigit() and token[0].isalpha() and token[0] not in "vrae"


def _by_chance(message: Message, at: int, last: int) -> bool:
    """A name's last word that stands apart and is a word of its own: "OLMo 13B sft", "a llama adapter"."""
    return last > at and message.gaps[last] == " " and message.tokens[last] in words("only_joined")


def written(message: Message, start: int, end: int) -> str:
    """The text of some tokens, cut short."""
    pieces = [message.tokens[start]]
    for place in range(start + 1, min(end, start + LONGEST_NAME)):
        pieces += [message.gaps[place], message.tokens[place]]
    return "".join(pieces)[:LONGEST_WRITTEN]


def _size_first(book: Models, message: Message, at: int) -> Mention | None:
    """ "8x7b" and other names that begin with a number."""
    alias = _alias(book, message, at)
    if alias is None or alias[0] - at < 3:
        return None
    end, hub_id = alias
    return Mention(at, end, hub_id, book.params.get(hub_id), None, None, written(message, at, end))


def _with_prefix(book: Models, message: Message, mention: Mention) -> Mention:
    """ "long-t5-base" is not T5: a word joined before a name without a size makes another model of it."""
    at = mention.start
    if mention.size is not None or at == 0 or message.gaps[at] not in ("-", "_") or message.taken[at - 1]:
        return mention
    before = message.tokens[at - 1]
    if not before.isalpha() or before in book.plain or len(before) < 2:
        return mention
    end = mention.end
    while end < len(message.tokens) and message.gaps[end] in ("-", "_") and end - at < LONGEST_NAME:
        end += 1
    return Mention(at - 1, end, None, None, None, mention.bits, written(message, at - 1, end))


def _family_after_size(book: Models, message: Message, numbers: Mapping[int, Number], at: int) -> Mention | None:
    """ "my 2b gemma", "a 34b (Yi)": a family whose bare name means nothing, right after a size that it has."""
    family = message.tokens[at]
    if family not in book.rows or not family.isalpha() or family in words("ordinary") or message.parts[at] > BRACKET:
        return None
    number = numbers.get(at - 2) or numbers.get(at - 1)
    if number is None or number.end != at or number.unit != SIZE or message.taken[number.start]:
        return None
    hub_id, others = resolve(book, Name(words={family}, size=number.value), family)
    if hub_id is None:
        return None
    return Mention(
        number.start, at + 1, hub_id, number.value, None, None, written(message, number.start, at + 1), others
    )


def _with_size_around(book: Models, message: Message, numbers: Mapping[int, Number], mention: Mention) -> Mention:
    """A size right before or after a name without one: "70B llama2", "Qwen3-Coder-Next (80b a3b)"."""
    if mention.size is not None:
        return mention
    after, before = _size_after(message, numbers, mention.end), _size_before(message, numbers, mention.start)
    number = after or before
    if number is None or not number.value:
        return mention
    start, end = min(mention.start, number.start), max(mention.end, number.end)
    hub_id, family = mention.id, message.tokens[mention.start]
    if hub_id is not None and abs(book.params.get(hub_id, 0.0) - number.value) > CLOSE * number.value:
        name = read_name(message.tokens, message.gaps, mention.start, book.plain, book.known(family))
        name.size = number.value
        hub_id = resolve(book, name, family)[0] or hub_id
        if abs(book.params.get(hub_id, 0.0) - number.value) > FAR_OFF * number.value:
            return mention
    return mention._replace(start=start, end=end, id=hub_id, size=number.value)


def _size_after(message: Message, numbers: Mapping[int, Number], end: int) -> Number | None:
    if end >= len(message.tokens) or message.parts[end] > BRACKET:
        return None
    number = numbers.get(end + 1 if message.tokens[end] in words("about") else end)
    return number if number is not None and number.unit == SIZE and not message.taken[number.start] else None


def _size_before(message: Message, numbers: Mapping[int, Number], start: int) -> Number | None:
    """The size that ends where a name starts, or before a token in between: "30B MoE qwen"."""
    if message.parts[start] > JOINED:
        return None
    for back in (2, 4):
        number = numbers.get(start - back)
        if number is not None and number.end in (start, start - 2) and number.unit == SIZE:
            return None if message.taken[number.start] else number
    return None

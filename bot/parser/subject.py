"""The model or size that a question is about; further ones are alternatives."""

from itertools import compress, count

from bot.parser.clauses import Clauses
from bot.parser.datasets import is_likened
from bot.parser.members import members_of
from bot.parser.models import Mention, models
from bot.parser.models.book import CLOSE, resolve
from bot.parser.models.name import Name, read_name
from bot.parser.numbers import plain
from bot.parser.slots import Slots
from bot.parser.text import BRACKET, JOINED, STOP, Message
from bot.parser.words import words

MOST_ALTERNATIVES = 8
WORDS_AROUND = 3
"""Tokens around a size in which a word may say what kind of model it is."""


def choose_model(
    slots: Slots, mentions: list[Mention], sizes: list[tuple[int, int, float]], clauses: Clauses, message: Message
) -> None:
    """Fills model, params_b, models, weight_bits. A bare size ("a 7b") has the common shape of that size, assumed."""
    named = mentions and ([mention for mention in mentions if mention.id or mention.size] or mentions)
    if not slots.methods and "method" not in slots.values and _is_full(named, message):
        slots.state("method", "full")
    if named and "data_names" in message.said:
        named = _without_data(named, sizes, message)
    if named:
        named.sort(key=lambda mention: mention.size is None)  # one with a size first, whatever stands where
        chosen = named[clauses.choose([mention.start for mention in named])]
        chosen = _failed_sibling(chosen, sizes, clauses, message) or chosen
        chosen = _of_size_elsewhere(chosen, sizes, clauses, message)
        _named(slots, chosen)
        if chosen.size is None and chosen.id and _asks_which(message, chosen):
            slots.named["which_member"] = ("asked",)
        if chosen.size is None and chosen.id and (named_by := tuple(message.tokens[chosen.start : chosen.end])):
            slots.ambiguous_model = slots.ambiguous_model or members_of(named_by, chosen.id)
        others = [
            mention.id or mention.written for mention in named if mention is not chosen and mention.id != chosen.id
        ]
        _also(slots, others or _further_sizes(chosen, sizes, message))
        return
    usable = _usable(sizes, message) if sizes else []
    if usable:
        _bare(slots, sizes, usable, clauses, message)


def _asks_which(message: Message, mention: Mention) -> bool:
    """ "which gemma 4", "what size of llama 3", "welches Qwen3", "das größte Qwen3": which member of the family; not
    "which gemma 4 notebook".
    """
    start = mention.start
    if message.token(mention.end) in words("things_of_models"):
        return False
    at = start - 1
    while at >= 0 and start - at <= WORDS_AROUND and message.tokens[at] in words("between_which"):
        at -= 1
    return message.token(at) in words("which_member") and message.parts[at + 1] <= JOINED


def _without_data(named: list[Mention], sizes: list[tuple[int, int, float]], message: Message) -> list[Mention]:
    """ "8b qlora ... 1 epoch of alpaca", "my own dolly on pythia-2.8b": the name of data beside another model."""
    data = [one for one in named if one.size is None and message.tokens[one.start] in words("data_names")]
    others = [one for one in named if one not in data]
    if others:
        return others
    book = models()
    for _, value in _usable(sizes, message) if data else ():
        fits = any(one.id and abs(book.params[one.id] - value) <= CLOSE * value for one in data)
        if not fits and all(one.id is None or _sibling(one, value, message) is None for one in data):
            return []
    return named


def _is_full(mentions: list[Mention], message: Message) -> bool:
    """ "full" as a part of its own, "gpt-neo-2.7B, full. fits on 16GB?", or right behind a model's name and before no
    noun: "phi-2 full on an A6000".
    """
    tokens = message.tokens
    if words("full_alone").isdisjoint(tokens):
        return False
    parts = [*message.parts, STOP]
    places = [place for place in range(1, len(tokens)) if tokens[place] in words("full_alone")]
    if any(parts[place] >= BRACKET and parts[place + 1] >= BRACKET for place in places):
        return True  # "Weitertraining (voll)", "gpt-neo-2.7B, full. fits?"
    behind = {mention.end for mention in mentions}
    named = (place for place in places if place in behind and parts[place] <= JOINED)
    return any(not tokens[place + 1 :] or tokens[place + 1] in words("behind_full") for place in named)


def _bare(
    slots: Slots,
    sizes: list[tuple[int, int, float]],
    usable: list[tuple[int, float]],
    clauses: Clauses,
    message: Message,
) -> None:
    """A size without a name: what decides of a list is its largest; of a range that is only likely."""
    start, value = usable[clauses.choose([start for start, _ in usable])]
    listed, is_range = _list_of(start, sizes, message)
    value = max(listed, default=value)
    family = _family_elsewhere(message, value)
    if family is not None:
        slots.state("model", family)
    (slots.assume if is_range else slots.state)("params_b", value)
    _also(slots, [f"{other:g}B" for _, other in usable if other != value])
    active, sparse = _active_after(start, sizes, message), _called_mixture(message, start)
    shape = models().shapes.get(value) if active is None and not sparse else None
    mixture = models().mixtures.get((value, active or 0.0)) or (_of_experts(value) if sparse or active else None)
    if shape is not None or mixture is not None:
        slots.assume("model", mixture or shape)


def _called_mixture(message: Message, start: int) -> bool:
    """ "30b moe", "a MoE of 30B": a word near the size says that it has experts."""
    near = range(max(0, start - WORDS_AROUND), min(len(message.tokens), start + 2 + WORDS_AROUND))
    return "mixture" in message.said and any(message.tokens[place] in words("mixture") for place in near)


def _of_experts(size_b: float) -> str | None:
    """The usual mixture of that size."""
    sizes = models().mixtures
    near = [size for size in sizes if abs(size[0] - size_b) <= CLOSE * size_b]
    return sizes[min(near, key=lambda size: abs(size[0] - size_b))] if near else None


def _list_of(first: int, sizes: list[tuple[int, int, float]], message: Message) -> tuple[list[float], bool]:
    """The sizes of "7b / 13b / 30b" or "7B-14B" that starts here, and whether it is a range."""
    found: list[float] = []
    is_range, last = False, -1
    for start, end, value in sizes:
        between = message.tokens[last:start] if last >= 0 else []
        gap = message.gaps[start].strip()
        ranged = gap == "-" or (len(between) == 1 and between[0] in words("range"))
        if start == first:
            found = [value]
            is_range = gap == "-" and start > 0 and message.tokens[start - 1][0].isdigit()  # "1-3b"
        elif found and ((not between and gap == "/") or ranged):
            found.append(value)
            is_range = is_range or ranged
        elif found:
            break
        last = end
    return found, is_range


def _active_after(start: int, sizes: list[tuple[int, int, float]], message: Message) -> float | None:
    """The active size of "30b-a3b", in billions."""
    end = next(end for place, end, _ in sizes if place == start)
    word = message.tokens[end] if end + 1 < len(message.tokens) else ""
    if word[:1] != "a" or not word[1:2].isdigit() or message.tokens[end + 1] != "b":
        return None
    return plain(word[1:], False)


def _further_sizes(chosen: Mention, sizes: list[tuple[int, int, float]], message: Message) -> list[str]:
    """ "llama 2 70B at 32k, and 13B": a bare size after a model with another size, of its family where that exists."""
    if chosen.size is None or chosen.id is None:
        return []
    most = CLOSE * chosen.size
    values = [value for start, value in _usable(sizes, message) if start > chosen.start]
    return [_sibling(chosen, value, message) or f"{value:g}B" for value in values if abs(value - chosen.size) > most]


def _failed_sibling(
    chosen: Mention, sizes: list[tuple[int, int, float]], clauses: Clauses, message: Message
) -> Mention | None:
    """ "qwen3 4b works, 8b works, 14b ooms": the size of the same family that failed."""
    if chosen.id is None or clauses.of(chosen.start) not in clauses.good:
        return None
    for start, end, value in sizes:
        if start > chosen.start and clauses.of(start) in clauses.bad and (found := _sibling(chosen, value, message)):
            return chosen._replace(start=start, end=end, id=found, size=value, others=())
    return None


def _sibling(chosen: Mention, size_b: float, message: Message) -> str | None:
    """The model of the same name in another size."""
    book, family = models(), message.tokens[chosen.start]
    name = read_name(message.tokens, message.gaps, chosen.start, book.plain, book.known(family))
    name.size = size_b
    return _close(resolve(book, name, family)[0], size_b)


def _usable(sizes: list[tuple[int, int, float]], message: Message) -> list[tuple[int, float]]:
    return [(start, value) for start, end, value in sizes if not _beside_the_point(message, start, end)]


def _of_size_elsewhere(
    chosen: Mention, sizes: list[tuple[int, int, float]], clauses: Clauses, message: Message
) -> Mention:
    """ "falcon, the 40b version": a name without a size takes a bare size of its family."""
    if chosen.size is not None or chosen.id is None:
        return chosen
    book = models()
    for _, value in sorted(_usable(sizes, message)[:MOST_ALTERNATIVES], key=lambda size: clauses.hearsay(size[0])):
        if abs(book.params[chosen.id] - value) <= CLOSE * value:
            return chosen._replace(size=value)
        found = _sibling(chosen, value, message)
        if found is not None:
            return chosen._replace(id=found, size=value, others=())
    return chosen


def _family_elsewhere(message: Message, size_b: float) -> str | None:
    """ "we use Yi, size 34B": a family's name that stands apart from the size."""
    book, tokens = models(), message.tokens
    until = 0
    for at in compress(count(), map(book.starts.__contains__, tokens)):
        if at < until:
            continue
        word = tokens[at]
        trainer = book.trainers.find(tokens, at) if word in book.trainers.root else None
        if trainer is not None:
            until = trainer[0]
            continue
        usable = word in book.rows and word.isalpha() and word not in words("ordinary") and not message.taken[at]
        if usable and not _of_another_name(message, at) and not is_likened(message, at):
            found = _of_family(word, size_b)
            if found is not None:
                return found
    return None


def _of_another_name(message: Message, at: int) -> bool:
    """Whether a word that the family does not know is joined to it: "falcon-h1"."""
    if at + 1 >= len(message.tokens) or message.gaps[at + 1] not in ("-", "_"):
        return False
    following = message.tokens[at + 1]
    known = models().known(message.tokens[at])
    return following[0].isalpha() and following not in known and following not in models().plain


def _of_family(family: str, size_b: float) -> str | None:
    return _close(resolve(models(), Name(words={family}, size=size_b), family)[0], size_b)


def _close(hub_id: str | None, size_b: float) -> str | None:
    near = hub_id is not None and abs(models().params[hub_id] - size_b) <= CLOSE * size_b
    return hub_id if near else None


def _also(slots: Slots, others: list[str]) -> None:
    if others:
        slots.state("models", tuple(dict.fromkeys(others))[:MOST_ALTERNATIVES])


def _named(slots: Slots, chosen: Mention) -> None:
    if chosen.id is not None:
        slots.state("model", chosen.id)
        slots.ambiguous_model = chosen.others
    else:
        slots.unknown_model = chosen.written
    if chosen.size is not None:
        slots.state("params_b", chosen.size)
    elif chosen.id is not None:
        slots.assume("params_b", round(models().params[chosen.id], 3))
    if chosen.bits is not None:
        slots.state("weight_bits", float(chosen.bits))


def _beside_the_point(message: Message, start: int, end: int) -> bool:
    """A size that is not the model's: "only 3B active", "1B more params", "2B tokens"."""
    after = message.tokens[end] if end < len(message.tokens) and message.parts[end] <= JOINED else ""
    linked = after in words("linking") and message.token(end + 1) in words("not_the_size_after")  # "3B are active"
    return linked or after in words("not_the_size_after") or message.token(start - 1) in words("not_the_size_before")

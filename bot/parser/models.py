"""Model names as people write them, and bare sizes: "llama3 8b", "Qwen3-235B-A22B-Instruct-2507", "8x7B", "7/13/34B".

A name is read as family, version, size, active size and variant words; the catalog's own names are read the same way, so
that any order and any decoration ("-bnb-4bit", "-GPTQ-Int4") finds its row.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from bot.parser.numbers import SIZE, Number, plain
from bot.parser.text import BRACKET, GLUED, JOINED, Message
from knowledge.catalog import load_catalog
from knowledge.language import shared_phrases
from knowledge.names import NameIndex, Trie, name_tokens

CLOSE = 0.13
"""Two sizes closer than this share are the same size: 7B and 6.74B, 8B and 8.03B, 30B and 32.5B are not written exactly."""
LONGEST_NAME = 14


@dataclass(slots=True)
class Name:
    """What a model name says. Sizes in billions."""

    words: set[str] = field(default_factory=set)
    version: str | None = None
    size: float | None = None
    active: float | None = None
    experts: float | None = None
    effective: bool = False
    bits: int | None = None
    date: str | None = None
    end: int = 0


class Mention(NamedTuple):
    """A model at tokens[start:end]: its catalog id or what was written, the size that the text itself states."""

    start: int
    end: int
    id: str | None
    size: float | None
    active: float | None
    bits: int | None
    written: str
    others: tuple[str, ...] = ()
    assumed: bool = False


class Row(NamedTuple):
    """A catalog model as a name."""

    id: str
    name: Name
    params_b: float
    order: int


@dataclass(slots=True)
class Models:
    """The catalog's models, by the words of their names."""

    index: NameIndex
    rows: Mapping[str, list[Row]]
    plain: frozenset[str]
    variants: frozenset[str]
    ambiguous: Mapping[tuple[str, ...], Any]
    shapes: Mapping[float, str]
    by_hub_id: Mapping[str, Any]
    params: Mapping[str, float]
    hub_ids: Mapping[str, str]
    trainers: Trie
    starts: frozenset[str]
    """First tokens of all names."""
    families: tuple[str, ...]
    """First words of names, long enough to be recognised when mistyped."""


@cache
def models() -> Models:
    """Built once from the catalog."""
    catalog = load_catalog()
    words = shared_phrases()["model_words"]
    plain_words, variants = frozenset(words["plain"]), frozenset(words["variant"])
    index = NameIndex()
    by_id: dict[str, Any] = {model.id: model for model in catalog.models.values()}
    for hub_id, names in shared_phrases()["nicknames"].items():
        if hub_id in by_id:
            index.add("model", hub_id, names)
    for model in by_id.values():
        index.add("model", model.id, (model.id.split("/")[-1], model.id))
    for model in by_id.values():
        for sibling in siblings_of(model):
            index.add("model", sibling, (sibling.split("/")[-1], sibling))
    for model in by_id.values():
        index.add("model", model.id, model.aliases)
    for entry in catalog.ambiguities:
        if entry.catalog == "models" and not entry.alias[0].isdigit():
            index.add("model", entry.default or entry.candidates[0], (entry.alias,))
    hub_ids = {model.id.split("/")[-1].lower(): model.id for model in by_id.values()}
    rows: dict[str, list[Row]] = defaultdict(list)
    params = {model.id: model.params_total / 1e9 for model in by_id.values()}
    for order, model in enumerate(by_id.values()):
        siblings = siblings_of(model)
        seen = set()
        for hub_id, written in [(model.id, model.id), *((model.id, alias) for alias in model.aliases), *((s, s) for s in siblings)]:
            params.setdefault(hub_id, params[model.id])
            tokens = list(name_tokens(written.split("/")[-1]))
            name = read_name(tokens, [""] + ["-"] * len(tokens), 0, plain_words, variants, whole=True)
            key = (frozenset(name.words), name.version, name.size)
            if key not in seen and name.words and len(tokens[0]) > 1:
                seen.add(key)
                rows[tokens[0]].append(Row(hub_id, name, params[model.id], order))
    ambiguous = {name_tokens(entry.alias): entry for entry in catalog.ambiguities if entry.catalog == "models"}
    shapes = {float(size): hub_id for size, hub_id in shared_phrases()["shapes"].items() if hub_id in by_id}
    trainers = Trie()
    for names in shared_phrases()["values"]["trainer"].values():
        for written in names:
            trainers.add(name_tokens(written), written)
    for written in shared_phrases()["model_words"]["no_models"]:
        trainers.add(name_tokens(written), written)
    return Models(index, rows, plain_words, variants, ambiguous, shapes, catalog.by_sibling, params, hub_ids, trainers, frozenset(rows) | frozenset(index.trie.root) | frozenset(trainers.root), tuple(word for word in rows if len(word) >= 4 and word.isalpha()))


def siblings_of(model: Any) -> list[str]:
    """Hub ids that share a model's shape; a remark in brackets is left out."""
    return [sibling.split(" ")[0] for sibling in model.siblings]


def read_name(
    tokens: list[str], gaps: list[str], at: int, plain_words: frozenset[str], variants: frozenset[str], whole: bool = False,
    known: frozenset[str] = frozenset(),
) -> Name:
    """Reads one name from a token on. `whole`: every word belongs to it; else only the first and words that names have."""
    name = Name()
    place, size = at, len(tokens)
    while place < size and place < at + LONGEST_NAME:
        token, gap = tokens[place], gaps[place]
        if place > at and not whole and not _joins(gap):
            break
        taken = _read_piece(name, tokens, gaps, place, whole)
        if taken:
            place += taken
            continue
        if token[0].isdigit():
            break
        if token in plain_words:
            place += 1
            continue
        if whole or place == at or token in variants or token in known:
            name.words.add(token)
            place += 1
            continue
        break
    name.end = place
    return name


def _joins(gap: str) -> bool:
    return gap in ("", " ", "-", "_", ".", "/", " (", "(", " - ", "  ", "--")


def _read_piece(name: Name, tokens: list[str], gaps: list[str], place: int, whole: bool) -> int:
    """Reads a size, a version, a date or a quantisation; how many tokens it took."""
    token = tokens[place]
    following = tokens[place + 1] if place + 1 < len(tokens) else ""
    glued = place + 1 < len(gaps) and gaps[place + 1] in ("", " ") if following else False
    if token[0].isdigit():
        return _read_figure(name, tokens, gaps, place)
    if token[0] in "ae" and len(token) > 1 and token[1].isdigit() and following in ("b", "m") and glued:
        value = (plain(token[1:], False) or 0) / (1000 if following == "m" else 1)
        if token[0] == "a":
            name.active = value
        else:
            name.size, name.effective = value, True
        return 2
    if token[0] == "v" and len(token) > 1 and token[1].isdigit():
        name.version = name.version or token
        return 1
    if token in ("int", "nf", "q") and following[:1].isdigit():
        name.bits = {"4": 4, "8": 8}.get(following, name.bits)
        return 2
    if token == "awq":
        name.bits = name.bits or 4
        return 1
    return 0


def _read_figure(name: Name, tokens: list[str], gaps: list[str], place: int) -> int:
    token = tokens[place]
    following = tokens[place + 1] if place + 1 < len(tokens) else ""
    gap = gaps[place + 1] if following else "?"
    value = plain(token, False)
    if value is None:
        return 0
    if following == "x" and gap in ("", " ") and place + 3 < len(tokens) and tokens[place + 3] == "b":
        each = plain(tokens[place + 2], False) if tokens[place + 2][0].isdigit() else None
        if each and name.size is None:
            name.experts, name.size = value, each
            return 4
    if following in ("b", "m") and gap in ("", " ", "-") and (gap == "" or following == "b"):
        if name.size is not None:
            return 0
        name.size = value if following == "b" else value / 1000
        return 2
    if len(following) == 2 and following[0] == "b" and following[1].isdigit() and gap == "":
        name.size = value + int(following[1]) / 10
        return 2
    if following in ("bit", "bits") and value in (4, 8):
        name.bits = int(value)
        return 2
    if len(token) == 4 and token.isdigit() and (2301 <= value <= 2712 or token[:2] in ("01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12")):
        name.date = token
        return 1
    if following in ("gb", "g", "gib", "k", "x", "gpu", "gpus", "cards", "s") and gap in ("", " "):
        return 0
    if name.version is None and value < 20 and name.words:
        name.version = token
        return 1
    return 0


@cache
def _family_vocabulary(family: str) -> frozenset[str]:
    return frozenset(word for row in models().rows.get(family, ()) for word in row.name.words)


def read_models(message: Message, numbers: Mapping[int, Number]) -> tuple[list[Mention], list[tuple[int, int, float]]]:
    """Model mentions, and bare sizes as (start, end, billions), in order of place. Marks what it used."""
    book = models()
    mentions: list[Mention] = []
    tokens, taken, starts = message.tokens, message.taken, book.starts
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token not in starts or taken[at]:
            at += 1
            continue
        trainer = book.trainers.find(tokens, at)
        if trainer is not None and trainer[0] > at + 1:
            at = trainer[0]
            continue
        mention = None
        if token in book.rows or token in book.index.trie.root:
            mention = _mention(book, message, at) if not token[0].isdigit() else _size_first(book, message, at)
        if mention is None:
            at += 1
            continue
        mention = _with_size_around(message, numbers, _with_prefix(book, message, mention))
        mentions.append(mention)
        message.take(mention.start, mention.end)
        at = max(mention.end, at + 1)
    return mentions, _bare_sizes(message, numbers, mentions)


def _bare_sizes(message: Message, numbers: Mapping[int, Number], mentions: list[Mention]) -> list[tuple[int, int, float]]:
    """Sizes without a name: "a 7b", "7/13/34B", "774M"; and unknown names with a size become mentions."""
    sizes: list[tuple[int, int, float]] = []
    for number in numbers.values():
        if message.taken[number.start]:
            continue
        if number.unit == SIZE and number.value < 5000:
            mistyped = _mistyped(message, number)
            if mistyped is not None:
                mentions.append(mistyped)
                message.take(mistyped.start, mistyped.end)
                continue
            found = _unknown_or_sizes(message, number, mentions)
        elif number.unit == "m" and number.value in MILLIONS and not _counts_things(message, number):
            found = [(number.start, number.end, number.value / 1000)]
        else:
            continue
        for start, end, value in found:
            sizes.append((start, end, value))
            message.take(start, end)
    mentions.sort(key=lambda mention: mention.start)
    return sizes


ALIKE = 80.0
"""How similar (0 to 100) a mistyped family name must be: qwn and qwen, misral and mistral."""


def _mistyped(message: Message, number: Number) -> Mention | None:
    """ "qwn2.5 7b": a word before a size that is nearly a family's name, and with version and size names one row exactly."""
    book, tokens = models(), message.tokens
    at = number.start - 1
    version = None
    if at >= 1 and tokens[at][0].isdigit() and message.parts[number.start] <= JOINED:
        version, at = tokens[at], at - 1
    if at < 0 or message.taken[at] or message.parts[at + 1] > JOINED or not tokens[at].isalpha() or len(tokens[at]) < 3:
        return None
    word = tokens[at]
    from rapidfuzz import fuzz, process  # only for what no name matches: loading it takes 30 ms of a start

    close = process.extract(word, book.families, scorer=fuzz.ratio, limit=2, score_cutoff=ALIKE)
    if not close or (len(close) > 1 and close[0][1] == close[1][1]) or word in ORDINARY:
        return None
    name = Name(words={close[0][0]}, version=version, size=number.value)
    hub_id, _ = _resolve(book, name, close[0][0])
    if hub_id is None:
        return None
    return Mention(at, number.end, hub_id, number.value, None, None, _written(message, at, number.end))


ORDINARY = frozenset("small large full train big model with coder chat base lora qlora instruct dense moe opt falcons code".split())


def _counts_things(message: Message, number: Number) -> bool:
    return number.end < len(message.tokens) and message.parts[number.end] <= JOINED and message.tokens[number.end] in THINGS


THINGS = frozenset("tokens token rows examples samples lines pairs docs documents instructions characters chars words images trainable param zeilen beispiele zeichen wörter people users dollars eur usd".split())
MILLIONS = frozenset({14, 22, 33, 66, 70, 82, 109, 110, 117, 120, 124, 125, 135, 160, 220, 250, 270, 300, 335, 340, 345, 350, 355, 360, 400, 410, 500, 560, 600, 700, 740, 760, 762, 770, 774, 780, 800})
"""Sizes of small models in millions."""


def _mention(book: Models, message: Message, at: int) -> Mention | None:
    tokens, gaps = message.tokens, message.gaps
    family = tokens[at]
    alias = _alias(book, message, at)
    name = None
    if family in book.rows:
        name = read_name(tokens, gaps, at, book.plain, book.variants, known=_family_vocabulary(family))
        if not (name.size or name.version) and alias is None:
            return None
    if alias is not None and (name is None or alias[0] >= name.end or name.size is None):
        end, hub_id = alias
        if name is not None and name.end > end:
            resolved = _resolve(book, name, family)
            hub_id, end = (resolved[0] or hub_id), name.end
        bits = name.bits if name else None
        size = name.size if name else None
        written_size = size or _size_in(tokens, at, end)
        return Mention(at, end, hub_id, _stated_size(book, hub_id, name, written_size), name.active if name else None, bits, _written(message, at, end))
    if name is None or name.end <= at:
        return None
    hub_id, others = _resolve(book, name, family)
    if hub_id is None and name.size is None:
        return None
    return Mention(at, name.end, hub_id, _stated_size(book, hub_id, name, name.size), name.active, name.bits, _written(message, at, name.end), others, assumed=False)


def _stated_size(book: Models, hub_id: str | None, name: Name | None, size: float | None) -> float | None:
    if size is not None and name is not None and name.experts:
        return book.params.get(hub_id or "", size * name.experts * 0.84)
    return size


def _size_in(tokens: list[str], start: int, end: int) -> float | None:
    for place in range(start, end - 1):
        if tokens[place][0].isdigit() and tokens[place + 1] in ("b", "m"):
            value = plain(tokens[place], False)
            if value:
                return value if tokens[place + 1] == "b" else value / 1000
    return None


def _alias(book: Models, message: Message, at: int) -> tuple[int, str] | None:
    """The longest alias that starts here and is not torn apart by a comma or cut inside a name."""
    node: Any = book.index.trie.root
    found = None
    tokens, parts = message.tokens, message.parts
    for place in range(at, min(len(tokens), at + LONGEST_NAME)):
        if place > at and parts[place] > JOINED:
            break
        node = node.get(tokens[place])
        if node is None:
            break
        if "" in node:
            found = place + 1, node[""][1]
    if found is None:
        return None
    end = found[0]
    if end == at + 1 and len(tokens[at]) <= 2 and at and parts[at] == GLUED:
        return None
    if end < len(tokens) and parts[end] == GLUED and tokens[end - 1][0].isdigit() and tokens[end] in ("b", "m") and tokens[end - 1] != tokens[at]:
        return _shorter_alias(book, message, at, end - 1)
    return found


def _shorter_alias(book: Models, message: Message, at: int, limit: int) -> tuple[int, str] | None:
    """ "gpt 2" in "gpt 2b": the number belongs to a size, so the alias must end before it."""
    found = book.index.trie.find(message.tokens[:limit], at)
    return None if found is None else (found[0], found[1][1])


def _resolve(book: Models, name: Name, family: str) -> tuple[str | None, tuple[str, ...]]:
    """The catalog row that a name means, and the others that it could mean."""
    spelled = _spelled(name, family)
    for tokens in spelled:
        entry = book.ambiguous.get(tokens)
        if entry is not None and entry.default:
            return entry.default, tuple(entry.candidates)
        exact = book.index.trie.find(tokens, 0)
        if exact is not None and exact[0] == len(tokens):
            return exact[1][1], ()
    best: tuple[float, int, str] | None = None
    for row in book.rows.get(family, ()):
        score = _likeness(row, name)
        if score is not None and (best is None or (score, row.order) > (best[0], best[1])):
            best = score, row.order, row.id
    return (best[2], ()) if best else (None, ())


def _spelled(name: Name, family: str) -> list[tuple[str, ...]]:
    """The name as an alias might be written: family, version, other words, size."""
    version = (name.version,) if name.version else ()
    others = tuple(sorted(name.words - {family}))
    if name.size is None:
        size: tuple[str, ...] = ()
    elif name.experts:
        size = (f"{name.experts:g}", "x", f"{name.size:g}", "b")
    elif name.effective:
        size = (f"e{name.size:g}", "b")
    elif name.size < 1 and (name.size * 1000) % 10 == 0 and name.size not in (0.5, 0.6, 0.8, 0.3):
        size = (f"{name.size * 1000:g}", "m")
    else:
        size = (f"{name.size:g}", "b")
    return [(family, *version, *others, *size), (family, *others, *version, *size)]


def _likeness(row: Row, name: Name) -> float | None:
    """How well a catalog row answers to a name; None when a size, version or word contradicts it."""
    theirs = row.name
    score = 0.0
    if name.size is not None:
        sizes = [value for value in (theirs.size, row.params_b) if value]
        if name.effective != theirs.effective and theirs.effective and theirs.size != name.size:
            return None
        if not any(abs(value - name.size) <= CLOSE * name.size for value in sizes):
            return None
        score += 3 - min(abs(value - name.size) / name.size for value in sizes)
    if name.version is not None and name.version != theirs.version:
        return None
    if name.version is None and theirs.version is not None:
        score -= 0.2
    missing = theirs.words - name.words
    extra = name.words - theirs.words
    if extra - {"code", "coder", "math", "llm", "vision"}:
        return None
    score -= 1.2 * len(extra) + 0.6 * len(missing)
    if name.active is not None and theirs.active is not None:
        score += 1 if abs(name.active - theirs.active) < 0.2 else -2
    if name.date is not None and theirs.date == name.date:
        score += 0.5
    return score if score > -2.5 else None


def _written(message: Message, start: int, end: int) -> str:
    pieces = [message.tokens[start]]
    for place in range(start + 1, min(end, start + 12)):
        pieces += [message.gaps[place], message.tokens[place]]
    return "".join(pieces)[:60]


def _size_first(book: Models, message: Message, at: int) -> Mention | None:
    """ "8x7b" and other names that begin with a number."""
    alias = _alias(book, message, at)
    if alias is None or alias[0] - at < 3:
        return None
    return Mention(at, alias[0], alias[1], book.params.get(alias[1]), None, None, _written(message, at, alias[0]))


def _with_prefix(book: Models, message: Message, mention: Mention) -> Mention:
    """ "long-t5-base" is not T5: a word joined before a name without a size makes another model of it."""
    at = mention.start
    if mention.size is not None or at == 0 or message.gaps[at] not in ("-", "_"):
        return mention
    before = message.tokens[at - 1]
    if message.taken[at - 1] or not before.isalpha() or before in book.plain or len(before) < 2:
        return mention
    end = mention.end
    while end < len(message.tokens) and message.gaps[end] in ("-", "_") and end - at < 8:
        end += 1
    return Mention(at - 1, end, None, None, None, mention.bits, _written(message, at - 1, end))


def _with_size_around(message: Message, numbers: Mapping[int, Number], mention: Mention) -> Mention:
    """A size that stands right before or after a name without one: "70B llama2", "Qwen3-Coder-Next (80b a3b)"."""
    if mention.size is not None:
        return mention
    before = next((numbers[p] for p in (mention.start - 2, mention.start - 4) if p in numbers and numbers[p].end in (mention.start, mention.start - 2) and numbers[p].unit == SIZE), None)
    next_to = mention.end
    if next_to + 1 < len(message.tokens) and message.tokens[next_to] in ABOUT:
        next_to += 1
    after = numbers.get(next_to) if next_to < len(message.tokens) else None
    if after is not None and after.unit == SIZE and message.parts[mention.end] <= BRACKET and not message.taken[after.start]:
        number, start, end = after, mention.start, after.end
    elif before is not None and not message.taken[before.start] and message.parts[mention.start] <= JOINED:
        number, start, end = before, before.start, mention.end
    else:
        return mention
    book = models()
    hub_id = mention.id
    if hub_id is not None and abs(book.params.get(hub_id, 0) - number.value) > CLOSE * number.value:
        name = read_name(message.tokens, message.gaps, mention.start, book.plain, book.variants, known=_family_vocabulary(message.tokens[mention.start]))
        name.size = number.value
        hub_id = _resolve(book, name, message.tokens[mention.start])[0] or hub_id
        if abs(book.params.get(hub_id, 0) - number.value) > 0.3 * number.value:
            return mention
    return mention._replace(start=start, end=end, id=hub_id, size=number.value)


def _unknown_or_sizes(message: Message, number: Number, mentions: list[Mention]) -> list[tuple[int, int, float]]:
    """A size with a name before it that nobody knows ("MPT-7B") becomes a mention; else it is a bare size, or several."""
    start, tokens = number.start, message.tokens
    first = start
    while first > 0 and start - first < 6 and message.gaps[first] in ("-", "_", ".", "/") and not message.taken[first - 1]:
        first -= 1
    if first < start and any(token[0].isalpha() and len(token) > 1 for token in tokens[first:start]) and message.gaps[start] != "/":
        name = read_name(tokens, message.gaps, start, models().plain, models().variants)
        end = max(number.end, name.end)
        mentions.append(Mention(first, end, None, number.value, name.active, name.bits, _written(message, first, end)))
        message.take(first, end)
        return []
    found = [(number.start, number.end, number.value)]
    place = number.start
    while place >= 1 and message.gaps[place].strip() in ("/", ",") and tokens[place - 1][0].isdigit() and len(found) < 6:
        value = plain(tokens[place - 1], False)
        if value is None or not 0 < value < 2000 or message.taken[place - 1]:
            break
        found.insert(0, (place - 1, place, value))
        place -= 1
    return found


ABOUT = frozenset({"ca", "about", "approx", "circa", "etwa", "around", "rund", "roughly"})

"""What somebody may be about to type: questions, models, cards, topics. Pure; fast enough for every keystroke."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot import faq
from bot.adapters.words import words
from bot.faq.entries import asks_of
from knowledge.catalog import load_catalog

MOST = 25
LONGEST = 100
TYPED_CHARS = 100
WORDS_LOOKED_AT = 4
"""A name that is being typed has at most so many words."""
KNOWN_CARDS = (
    "rtx-3090", "rtx-4090", "rtx-5090", "rtx-3060-12gb", "rtx-4060-ti-16gb", "rtx-5060-ti-16gb", "rtx-4070-ti-super",
    "rtx-5080", "rtx-3080-10gb", "rtx-a6000", "rtx-6000-ada", "l40s", "a100-80gb-sxm", "h100-sxm", "t4", "apple-m3-max",
)  # fmt: skip
"""Offered first: what people ask about most."""
KNOWN_MODELS = (
    "Llama-3.1-8B", "Qwen3-8B", "Qwen3-14B", "Qwen3-32B", "Mistral-7B", "gemma-3-12b", "gpt-oss-20b", "Llama-3.3-70B",
)  # fmt: skip
SMALL_WORDS = frozenset(
    ("a", "an", "and", "auf", "das", "der", "die", "ein", "eine", "einem", "einen", "einer", "for", "für", "i", "in",
     "is", "mit", "my", "of", "on", "or", "oder", "the", "to", "vs", "with")
)  # fmt: skip
"""No name begins with these."""
SIZES = ("7B", "8B", "13B", "14B", "32B", "70B")

_NOT_NAME = re.compile(r"[^a-z0-9]+")
_SIZE = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)?\s?[bm](?!\w)", re.IGNORECASE)
_METHOD = re.compile(r"(?<!\w)(?:q?lora|dora|full|voll|fine.?tun)", re.IGNORECASE)
_MEMORY = re.compile(r"(?<![\w.])\d+\s?gi?b(?!\w)", re.IGNORECASE)
_CONTEXT = re.compile(r"(?<![\w.])\d+\s?k(?!\w)|context|kontext|tokens?", re.IGNORECASE)
_COUNT = re.compile(r"^\s*\d{1,2}\s?x\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Choice:
    """What is shown, and what is meant."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class _Name:
    shown: str
    squeezed: str
    rank: int


def questions(typed: str, language: str) -> list[Choice]:
    """Questions that begin with what is typed: names completed, then what is missing added."""
    say, typed = words(language), " ".join(typed.split())[:TYPED_CHARS]
    if not typed:
        return _choices(say.examples)
    named, finished = ([], True) if _SIZE.search(typed.rpartition(" ")[2]) else _with_names(typed)
    made = [typed, *named]
    for lacking in _lacking(typed) if finished else ():
        made += [pattern.replace("{typed}", typed) for pattern in say.completions[lacking]]
    squeezed = typed.lower()
    made += [example for example in say.examples if squeezed in example.lower()]
    return _choices(made)


def models(typed: str) -> list[Choice]:
    """Models whose name contains what is typed."""
    typed = typed.strip()[:TYPED_CHARS]
    if not typed:
        return _choices([*KNOWN_MODELS, *SIZES])
    return _choices([*([typed] if _SIZE.fullmatch(typed) else []), *_found(_models(), typed), *_near(_models(), typed)])


def cards(typed: str) -> list[Choice]:
    """Cards whose name contains what is typed; "2x 30" keeps its 2x."""
    typed = typed[:TYPED_CHARS]
    count = _COUNT.match(typed)
    head, rest = (count[0].strip() + " ", typed[count.end() :]) if count else ("", typed)
    found = [*_found(_cards(), rest), *_near(_cards(), rest)] if rest.strip() else [n.shown for n in _cards()]
    return _choices(head + name for name in found[:MOST])


def topics(typed: str, language: str) -> list[Choice]:
    """Entries of the FAQ; the value is the entry's id."""
    asked = typed.strip().lower()[:TYPED_CHARS]
    spoken = language if faq.entries_of(language) else faq.FALLBACK
    entries, said = faq.entries_of(spoken), _said(spoken)
    found = [
        (0 if asked in entry.title.lower() else 1, entry)
        for entry in entries.values()
        if asked in entry.title.lower() or asked in said[entry.id]
    ]
    found.sort(key=lambda pair: pair[0])
    return [Choice(entry.title[:LONGEST], entry.id) for _, entry in found[:MOST]]


@lru_cache(maxsize=4)
def _said(language: str) -> Mapping[str, str]:
    """What each entry is asked with, a line each: kept once somebody types."""
    return {entry: "\n".join(phrases).lower() for entry, phrases in asks_of(language).items()}


def _choices(texts: Iterable[str]) -> list[Choice]:
    kept = dict.fromkeys(text for text in texts if 1 <= len(text) <= LONGEST)
    return [Choice(text, text) for text in list(kept)[:MOST]]


def _with_names(typed: str) -> tuple[list[str], bool]:
    """The text with the name at its end completed, the longest ending that is part of a name; and whether it is a whole
    name already ("3060 12gb" of "RTX 3060 12GB")."""
    said = typed.split(" ")
    for count in range(min(WORDS_LOOKED_AT, len(said)), 0, -1):
        head, tail = " ".join(said[:-count]), " ".join(said[-count:])
        squeezed = _squeeze(tail)
        if len(squeezed) < 2 or said[-count].lower() in SMALL_WORDS:
            continue
        found = [name for name in (*_cards(), *_models()) if squeezed in name.squeezed]
        if found:
            whole = any(name.squeezed.endswith(squeezed) for name in found)
            longer = [name.shown for name in found if name.squeezed != squeezed]
            return [f"{head} {name}".strip() for name in longer[:10]], whole
    return [], True


def _lacking(typed: str) -> list[str]:
    """What a question still lacks, what decides most first."""
    has_model = bool(_SIZE.search(typed)) or any(_says(typed, name) for name in _models())
    has_card = bool(_MEMORY.search(typed)) or any(_says(typed, name) for name in _cards())
    lacking = []
    if has_model and not _METHOD.search(typed):
        lacking.append("method")
    if has_model and not has_card:
        lacking.append("card")
    if has_model and not _CONTEXT.search(typed):
        lacking.append("context")
    return lacking


def _says(typed: str, name: _Name) -> bool:
    squeezed = _squeeze(typed)
    return name.squeezed in squeezed or (len(name.squeezed) > 6 and name.squeezed[3:] in squeezed)


def _found(names: Sequence[_Name], typed: str) -> list[str]:
    """Names that contain all of what is typed, those that begin with it first."""
    parts, whole = [_squeeze(part) for part in typed.split()], _squeeze(typed)
    if not whole:
        return []
    fitting = [n for n in names if whole in n.squeezed or all(part in n.squeezed for part in parts)]
    fitting.sort(key=lambda n: (not n.squeezed.startswith(whole), whole not in n.squeezed, n.rank, len(n.shown)))
    return [name.shown for name in fitting]


def _near(names: Sequence[_Name], typed: str) -> list[str]:
    """Names that look like what is typed, where none contains it."""
    squeezed = _squeeze(typed)
    if len(squeezed) < 3 or _found(names, typed):
        return []
    from rapidfuzz import fuzz, process

    by_form = {name.squeezed: name.shown for name in names}
    near = process.extract(squeezed, by_form.keys(), scorer=fuzz.partial_ratio, limit=8, score_cutoff=75)
    return [by_form[form] for form, _, _ in near]


def _squeeze(text: str) -> str:
    return _NOT_NAME.sub("", text.lower())


@lru_cache(maxsize=1)
def _models() -> tuple[_Name, ...]:
    known = {name.lower(): rank for rank, name in enumerate(KNOWN_MODELS)}
    names = {model.rpartition("/")[2] for model in load_catalog().models}

    def rank(name: str) -> int:
        low = name.lower()
        return next((at for head, at in known.items() if low.startswith(head)), len(known))

    made = [_Name(name, _squeeze(name), rank(name)) for name in names]
    return tuple(sorted(made, key=lambda name: (name.rank, len(name.shown), name.shown)))


@lru_cache(maxsize=1)
def _cards() -> tuple[_Name, ...]:
    rank = {card: at for at, card in enumerate(KNOWN_CARDS)}
    made = []
    for card in load_catalog().gpus.values():
        shown = card.name.removeprefix("GeForce ")
        made.append(_Name(shown, _squeeze(shown), rank.get(card.id, len(rank))))
    return tuple(sorted(made, key=lambda name: (name.rank, name.shown)))

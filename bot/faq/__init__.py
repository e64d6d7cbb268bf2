"""Frequent questions: which entry a text asks for, and its answer. Texts: knowledge/lang/<code>/faq/."""

import re
from functools import lru_cache

from bot.faq.about import is_about
from bot.faq.entries import Entry, entries_of
from bot.faq.matching import index_of
from bot.faq.nearest import Near
from bot.faq.words import WORD
from bot.messages import Button, Reply, Table, Text

FALLBACK = "en"
MAX_BUTTONS = 4

__all__ = ["Entry", "answer", "asking_part", "entries_of", "find", "goes_on", "is_about", "nearest", "point", "title"]


def find(
    text: str,
    language: str,
    *,
    known: bool = False,
    likely: bool = False,
    among: frozenset[str] | None = None,
) -> str | None:
    """The id of the entry that a text asks for, or None.

    Without `known` only when that is sure: never for a set-up ("13b qlora on a 3090"). With `known`, when the kind of
    the question is already found to be a definition, the best entry whose phrase the text contains; with `likely`
    where that phrase is most of the text. Who takes entries `among` some alone says so: most texts then cost less.
    """
    if (named := by_id(text, language)) is not None:
        return named
    index = index_of(language)
    match = index.best(index.read(text), known=known, likely=likely, among=among)
    return match.id if match else None


def nearest(text: str, language: str, *, ours: bool = True) -> Near | None:
    """The entry that a question without a set-up of its own surely is, else the nearest, and whether that is close.

    Not `ours`: nothing but its words shows that it is about fine-tuning.
    """
    if (named := by_id(text, language)) is not None:
        return Near(named, close=True)
    index = index_of(language)
    asked = index.read(text)
    sure = index.best(asked, known=False)
    return Near(sure.id, close=True) if sure else index.nearest.best(asked, ours=ours)


def by_id(name: str, language: str) -> str | None:
    """An entry by its id, or by a claim's id ("S63"): the entry that says least besides that claim."""
    return name if name in entries_of(language) else _by_claim(language).get(name)


@lru_cache(maxsize=16)
def _by_claim(language: str) -> dict[str, str]:
    """Claim → entry."""
    most_first = sorted(entries_of(language).values(), key=lambda entry: (len(entry.claims), entry.id), reverse=True)
    return {claim: entry.id for entry in most_first for claim in entry.claims}


def asks(text: str, language: str) -> bool:
    """Whether a text asks for something to be explained, rather than naming it ("qlora")."""
    return index_of(language).words.asks(text)


def goes_on(text: str, language: str) -> bool:
    """Whether a text goes on about what was said before it ("and with a larger batch?")."""
    return index_of(language).words.goes_on(text)


def asking_part(text: str, language: str) -> str | None:
    """A text from the first word on that asks ("3090, 13B what does packing do" → "what does …"), None without one."""
    asking = index_of(language).words.asking
    return next((text[word.start() :] for word in WORD.finditer(text) if word[0].lower() in asking), None)


def title(entry: str, language: str) -> str:
    """What a button to an entry says. Raises KeyError for an unknown id."""
    return _entry(entry, language)[0].title


def answer(entry: str, language: str, *, lead: str | None = None) -> Reply:
    """The answer of an entry under a line of ours, related entries as buttons. Raises KeyError for an unknown id."""
    found, spoken = _entry(entry, language)
    buttons = tuple(
        Button(label=entries_of(spoken)[other].title, change=f"faq={other}") for other in found.related[:MAX_BUTTONS]
    )
    text = _filled(found.id, spoken)
    first = text.split("\n", 1)[0]
    blocks = ((Text(markdown=lead),) if lead else ()) + _blocks(text)
    return Reply(language=spoken, blocks=blocks, buttons=buttons, title=re.sub(r"[*`]", "", first))


def point(entry: str, language: str) -> str:
    """The first paragraph of an entry: what it says in short. Raises KeyError for an unknown id."""
    found, spoken = _entry(entry, language)
    return _filled(found.id, spoken).split("\n\n", 1)[0]


def _entry(entry: str, language: str) -> tuple[Entry, str]:
    """An entry and the language it is in: the fallback's where the language lacks it."""
    for spoken in (language, FALLBACK):
        if (known := by_id(entry, spoken)) is not None:
            return entries_of(spoken)[known], spoken
    raise KeyError(entry)


@lru_cache(maxsize=1024)
def _filled(entry: str, language: str) -> str:
    """The text with its prices."""
    text = entries_of(language)[entry].text
    return re.sub(
        r"\{\{ price\('([a-z0-9-]+)', '([a-z]+)'\) \}\}", lambda call: price(call[1], call[2], language), text
    )


def price(gpu: str, kind: str, language: str) -> str:
    """The best-attested price of a card, "used" or "retail", dated: "700–900 USD (May 2026, example.org)".

    Raises KeyError when the catalog has none; a test keeps that from reaching anyone.
    """
    from advisor.options import price_to_buy  # only few entries name a price; the others need no catalog
    from bot.renderer import filters
    from knowledge.catalog import load_catalog

    best = price_to_buy(load_catalog(), gpu, used=kind == "used")
    if best is None:
        raise KeyError(f"no price of kind {kind} for {gpu}")
    money = filters.amount((best.low, best.high), language)
    return f"{money} {best.currency} ({filters.day(best.date, language)}, {filters.site(best.source)})"


def _blocks(text: str) -> tuple[Text | Table, ...]:
    """Markdown as blocks: a pipe table becomes a Table, everything between is text."""
    blocks: list[Text | Table] = []
    for part in re.split(r"\n{2,}(?=\|)|(?<=\|)\n{2,}", text):
        if part.startswith("|"):
            header, _, *rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in part.split("\n")]
            blocks.append(Table(header=header, rows=tuple(rows)))
        else:
            blocks.append(Text(markdown=part))
    return tuple(blocks)

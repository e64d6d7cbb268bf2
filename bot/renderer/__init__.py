"""Advice → Reply: chooses the template of the kind, lets every finding speak, and splits the Markdown into blocks.

Templates choose and format; whatever is computed stands in the Advice already.
"""

import re
from typing import Any

from advisor.advice import Advice, Finding
from advisor.asked import is_on_a_mac
from advisor.query import Kind
from bot.messages import Reply
from bot.renderer.blocks import MORE, blocks, plain
from bot.renderer.buttons import button, select
from bot.renderer.environment import template, words_of
from bot.renderer.places import (
    ABOUT_CARDS,
    FIRST,
    FIRST_IF_GRAVE,
    GRANTS,
    LEADS,
    REFUSALS,
    SECOND_NEED,
    WHOLE,
    WHY,
)

SHOWS = ("why", "fit", "prices", "more")
FIRST_PARTS = 2
"""Paragraphs that every short answer keeps: the verdict and one beside it, and each further leading finding."""
MOST_FIRST = 2
"""Findings that may stand above the verdict."""
SCREEN = 900
"""Characters of a short answer."""
ABOUT_A_RUN = frozenset({Kind.FITS_CHECK, Kind.CONTEXT_LENGTH})
BUYS = frozenset({Kind.WHICH_GPU, Kind.COMPARE_GPUS, Kind.COST_BUY_VS_RENT})
ASKS_WHY = frozenset({Kind.OOM_HELP, Kind.MULTI_GPU, Kind.CONTEXT_LENGTH})
ABOUT_BELIEFS = frozenset({Kind.FAQ_DEFINITION, Kind.METHOD_CHOICE, Kind.TRAINER_CHOICE})
"""Kinds in which a wrong belief is itself the question: its correction comes first."""
FINDINGS = "\x00"
"""Stands in a rendered template where its findings go; no template or catalog holds it."""
GENERAL = frozenset({"no_model", "methods_8b"})
"""Verdicts about nobody's case."""
CHOICES = {
    "method": ("qlora", "lora", "full"),
    "seq_len": ("512", "1024", "2048", "4096", "8192", "16384", "32768", "65536", "131072"),
    "trainer": ("unsloth", "trl", "axolotl", "llama-factory", "ms-swift", "torchtune"),
}

__all__ = ["render", "words", "words_of"]


def render(advice: Advice, language: str, *, asks_for: str | None = None, show: str | None = None) -> Reply:
    """The answer in a language; with `show` (why, fit, prices) the depth behind that button instead."""
    text = _by_memory(_without_findings(advice, language, show), advice, language)
    leading = _leading(advice)
    first = [finding(f, language) for f in leading]
    if len(first) > 1 and sum(map(len, first)) + len(text.lstrip().split("\n\n", 1)[0]) > SCREEN:
        leading.pop()  # the verdict matters more than a second reason
        first.pop()
    rest = [f for f in advice.findings if all(f is not led for led in leading)]
    leads = [finding(f, language) for f in rest if _leads(f)]
    others = [finding(f, language) for f in rest if not _leads(f)]
    alone = bool(first) and show is None and (_is_general(advice) or any(_is_all(f) for f in leading))
    if show is None:
        text = _with_leads(text, leads)
        text = _alone(first, text) if alone else "\n\n".join([*first, text.lstrip("\n")])
    else:
        others = [*first, *others]
    text, left = _with_findings(text, others)
    short, _, deep = text.partition(MORE)
    if show is None:
        short, over = _one_screen(short, advice.asks is not None and not alone, FIRST_PARTS + max(0, len(first) - 1))
        left = [*over, *left]
    deep = "\n\n".join([*left, deep]).strip()
    offers = (*advice.offers, "show=more") if deep else advice.offers
    return Reply(
        language=language,
        blocks=blocks(short),
        more=blocks(deep) if deep else (),
        buttons=tuple(button(change, language) for change in offers),
        selects=_selects(advice, language),
        title=plain(short),
    )


def _without_findings(advice: Advice, language: str, show: str | None) -> str:
    """What the template of the kind, or of the depth, says; FINDINGS stands where its findings go."""
    name = f"show/{show}" if show in SHOWS and show != "more" else advice.kind.value
    return template(name, language).render(
        advice=advice,
        v=advice.verdict.facts,
        s=advice.setup,
        facts=advice.facts,
        findings=[FINDINGS] if advice.findings else [],
        asks=_asks(advice),
    )


def _asks(advice: Advice) -> str | None:
    """What is asked back, in the form that fits: of a Mac its memory, of known numbers of cards only which."""
    query = advice.query
    if advice.asks == "gpus" and is_on_a_mac(query):
        return "unified"
    return "gpu" if advice.asks == "gpus" and query.n_gpus else advice.asks


def _by_memory(text: str, advice: Advice, language: str) -> str:
    """The text with its verdict called one of memory alone, where a finding says that it does not run there."""
    refused = any(f.code in REFUSALS and f.gravity == "stop" for f in advice.findings)
    if not refused or advice.verdict.code not in GRANTS or advice.verdict.facts.get("by_memory"):
        return text
    return text.lstrip().replace("**", f"**{words_of(language)['by_memory']['of']} ", 1)


def _leading(advice: Advice) -> list[Finding]:
    """The findings that may stand above the verdict."""
    vague = advice.verdict.code in ("what_trains", "no_model", "unsized")
    leading = [f for f in advice.findings if says_first(f, advice.kind, vague)][:MOST_FIRST]
    if not leading and advice.findings and _is_belief(advice):
        return [advice.findings[0]]
    return leading


def _is_belief(advice: Advice) -> bool:
    """Whether the gravest finding corrects what the question rests on."""
    about = advice.kind in ABOUT_BELIEFS or advice.verdict.code == "by_examples"
    return about and advice.findings[0].gravity == "correct"


def _is_general(advice: Advice) -> bool:
    """Whether the verdict is about nobody's case, so that a finding that answers needs no table beside it."""
    if advice.verdict.code in GENERAL or (advice.kind is Kind.OOM_HELP and advice.verdict.code == "unsized"):
        return True
    return bool(advice.verdict.facts.get("nobody"))


def _is_all(found: Finding) -> bool:
    """The question is about something else than what fits, and nothing beside it was asked."""
    told = found.facts.get("unsplit") or found.facts.get("logged")  # by the case: the verdict's guess is another
    return bool(told) or (found.code in WHOLE and not found.facts.get("beside"))


def _alone(first: list[str], text: str) -> str:
    """Only the findings that answer, and what follows from them; the general table behind the button."""
    table = text.replace(FINDINGS, "").replace(MORE, "")
    return "\n\n".join([*first, FINDINGS, MORE, table])


def says_first(found: Finding, kind: Kind, vague: bool = False) -> bool:
    """Whether a finding is the answer itself."""
    if (vague and found.code in ABOUT_CARDS) or kind is Kind.INFERENCE_ONLY:
        return True
    if found.code == "facts_by_finetuning" and kind in BUYS:
        return False  # which card is asked
    if found.code == "images_are_tokens" and found.facts.get("each"):
        return True  # their pixels are told: they are the length that all is counted with
    if kind in ASKS_WHY and found.code == "plan_system_ram" and found.gravity == "stop":
        return True
    if found.code == "table_covers_me" and found.facts.get("ram"):
        return True  # the guide whose run is asked about
    if kind in ASKS_WHY and found.gravity == "correct" and found.code in WHY:
        return True
    stated = found.code == "bf16_anywhere" and (found.facts.get("stated") or found.facts.get("newer"))
    if (stated or found.code == "flash_attention_needs_ampere") and kind in ABOUT_A_RUN:
        return True  # whether it runs so is the question
    if found.code == "impossible_card" and found.facts["decides"]:
        return True  # with the size that is meant the verdict is another
    return found.code in FIRST or (found.code in FIRST_IF_GRAVE and found.gravity == "stop")


def _leads(found: Finding) -> bool:
    return found.code in SECOND_NEED or (found.code in LEADS and found.gravity == "stop")


def _with_leads(text: str, said: list[str]) -> str:
    """The text with what decides the question right under its first line."""
    if not said:
        return text
    first, _, rest = text.lstrip("\n").partition("\n")
    return "\n".join([first, "", *said, "", rest])


def _with_findings(text: str, said: list[str]) -> tuple[str, list[str]]:
    """The text with as many findings as a phone screen holds, at least the gravest; and those that are left over."""
    room = SCREEN - len(text)
    kept = 1
    room -= len(said[0]) if said else 0
    while kept < len(said) and len(said[kept]) + 2 <= room:
        room -= len(said[kept]) + 2
        kept += 1
    return text.replace(FINDINGS, "\n\n".join(said[:kept])), said[kept:]


def _one_screen(text: str, asks: bool, kept: int = FIRST_PARTS) -> tuple[str, list[str]]:
    """The text cut to a phone screen, and the paragraphs that are left over, tables last.

    The first paragraphs, leading findings and the verdict below them, and the question stay.
    """
    parts = [part for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]
    question = parts.pop() if asks and len(parts) > kept else None
    over: list[str] = []
    room = SCREEN - len(question or "") - sum(map(_seen, parts))
    while room < 0 and len(parts) > kept:
        rest = range(len(parts) - 1, kept - 1, -1)
        over.insert(0, parts.pop(next((i for i in rest if not parts[i].lstrip().startswith("|")), len(parts) - 1)))
        room += _seen(over[0])
    return "\n\n".join([*parts, *([question] if question else [])]), over


def _seen(part: str) -> int:
    """Characters of a paragraph as people see it."""
    rows = part.strip().split("\n")
    return len(part) - len(rows[1]) if rows[0].startswith("|") and len(rows) > 1 else len(part)


def finding(found: Finding, language: str) -> str:
    """A finding's sentences."""
    return str(template(f"findings/{found.code}", language).render(finding=found, f=found.facts)).strip()


def words(name: str, language: str, **facts: Any) -> str:
    """A template that needs no Advice, such as the apology or an error, as Markdown."""
    return str(template(name, language).render(**facts)).strip()


def _selects(advice: Advice, language: str) -> tuple[Any, ...]:
    if advice.setup is None:
        return ()
    chosen = {"method": advice.setup.method, "seq_len": str(advice.setup.seq_len), "trainer": advice.query.trainer}
    return tuple(select(slot, values, chosen[slot], language) for slot, values in CHOICES.items())

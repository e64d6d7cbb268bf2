"""The renderer: numbers per language, foreign text as data, templates that choose and never compute, limits of the
platforms.
"""

import re
from pathlib import Path

import pytest
from jinja2 import UndefinedError, nodes

from advisor.advice import Advice, Finding, Verdict
from advisor.advisor import advise
from advisor.query import CardCount, Kind, Query
from bot.messages import Table, Text, table_markdown
from bot.renderer import render, words
from bot.renderer.blocks import blocks
from bot.renderer.environment import environment, template, words_of
from bot.renderer.filters import GIB, filters, said
from knowledge.catalog import load_catalog
from knowledge.language import load_language
from tests.advisor.rules.ask import stated

LANGUAGES = ("en", "de")
ARITHMETIC = (nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow)
NUMERIC_FILTERS = {"round", "sum", "abs", "float", "filesizeformat"}
DISCORD_TEXT, TELEGRAM_TEXT = 4000, 4096


def folder(language: str) -> Path:
    return Path(str(load_language(language).answers))


def templates() -> list[str]:
    return sorted(str(path.relative_to(folder("en"))) for path in folder("en").rglob("*.j2"))


def facts(name: str, language: str) -> set[str]:
    """Every attribute that a template reads, the language's own words apart."""
    tree = environment(language).parse((folder(language) / name).read_text("utf-8"))
    words_ = {"w"}
    return {
        node.attr
        for node in tree.find_all(nodes.Getattr)
        if not (isinstance(node.node, nodes.Name) and node.node.name in words_)
    }


@pytest.mark.parametrize("name", templates())
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_template_computes(language: str, name: str) -> None:
    tree = environment(language).parse((folder(language) / name).read_text("utf-8"))
    assert not list(tree.find_all(ARITHMETIC)), f"{name}: arithmetic belongs into the advisor"
    assert not {node.name for node in tree.find_all(nodes.Filter)} & NUMERIC_FILTERS, f"{name}: a filter that computes"


@pytest.mark.parametrize("name", templates())
def test_languages_use_the_same_facts(name: str) -> None:
    assert facts(name, "de") == facts(name, "en")


def test_languages_have_the_same_templates_and_words() -> None:
    assert templates() == sorted(str(path.relative_to(folder("de"))) for path in folder("de").rglob("*.j2"))
    english, german = words_of("en"), words_of("de")
    assert {name: set(entry) for name, entry in english.items()} == {name: set(entry) for name, entry in german.items()}


@pytest.mark.parametrize(
    ("filter_", "value", "english", "german"),
    [
        ("gib", 10.13 * GIB, "10.1 GiB", "10,1 GiB"),
        ("gib", 1333.2 * GIB, "1,333 GiB", "1.333 GiB"),
        ("gib", 0.05 * GIB, "51 MiB", "51 MiB"),
        ("span", (9.6 * GIB, 11 * GIB), "9.6–11.0", "9,6–11,0"),
        ("gb", 24.0, "24 GB", "24 GB"),
        ("count", 52000, "52,000", "52.000"),
        ("about", 3181.8, "3,200", "3.200"),
        ("brief", 128_256, "128k", "128k"),
        ("brief", 1_500_000, "1.5M", "1,5M"),
        ("tokens", 2048, "2,048", "2.048"),
        ("tokens", 131072, "128k", "128k"),
        ("percent", 0.9, "90%", "90 %"),
        ("times", 1.68, "1.7×", "1,7×"),
        ("duration", (1.4, 3.6), "1.4–4 h", "1,4–4 h"),
        ("duration", (0.1, 0.3), "6–18 min", "6–18 min"),
        ("duration", (50.0, 100.0), "2.1–4 days", "2,1–4 Tage"),
        ("amount", (0.78, 1.2), "0.78–1.20", "0,78–1,20"),
        ("amount", (700.0, 900.0), "700–900", "700–900"),
        ("day", "2026-05-16", "16 May 2026", "16. Mai 2026"),
        ("month", "2026-05-16", "May 2026", "Mai 2026"),
        ("day", "2026", "2026", "2026"),
    ],
)
def test_numbers_in_the_words_of_a_language(filter_: str, value: object, english: str, german: str) -> None:
    assert filters("en")[filter_](value) == english
    assert filters("de")[filter_](value) == german


@pytest.mark.parametrize(
    "hostile",
    [
        "**bold**",
        "`code`",
        "@everyone",
        "<b>x</b>",
        "[a](http://x)",
        "a|b",
        "x\n# head",
        "||spoiler||",
        "\u202eevil",
        "_" * 500,
        "",
    ],
)
def test_what_people_write_is_data(hostile: str) -> None:
    shown = said(hostile)
    assert shown.startswith("`")
    assert shown.endswith("`")
    assert shown.count("`") == 2
    assert len(shown) <= 62
    assert not re.search(r"[|<>\n\u202e]", shown)
    assert "@everyone" not in shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unknown_name_is_neutralised(language: str) -> None:
    query = Query(kind=Kind.HELP, unknown={"gpus": "rtx `9999` @everyone <b>"}, nearest={"gpus": ("RTX 5090",)})
    text = render(advise(query, load_catalog()), language).text
    assert "@everyone" not in text
    assert "<b>" not in text
    assert "RTX 5090" in text


def test_markdown_becomes_blocks() -> None:
    made = blocks("**One**\nline\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n\nEnd\n")
    assert made == (Text(markdown="**One**\nline"), Table(header=("a", "b"), rows=(("1", "2"),)), Text(markdown="End"))


def test_findings_beyond_the_screen_go_behind_more() -> None:
    codes = ("accumulation_costs", "leak_after_steps", "full_is_best")
    facts = {"pipeline": False, "believed": True, "states": False}
    found = tuple(Finding(code=code, gravity="note", facts=facts) for code in codes)
    query = Query(kind=Kind.OOM_HELP, symptoms=("oom_later",))
    reply = render(advise(query, load_catalog()).model_copy(update={"findings": (*found, *found)}), "en")
    assert len(reply.text) <= 1000
    assert reply.more
    assert any(button.change == "show=more" for button in reply.buttons)


def test_the_first_line_is_the_title() -> None:
    reply = render(advise(Query(kind=Kind.HELP), load_catalog()), "en")
    assert reply.title.startswith("Ask which GPU")
    assert "*" not in reply.title


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("show", ["why", "fit", "prices"])
def test_depth_fits_the_platforms(language: str, show: str) -> None:
    card = CardCount(gpu="rtx-3090", name="RTX 3090", count=1, vram_gb=24)
    for slots in ({}, {"params_b": 8.0}, {"params_b": 70.0, "method": "full"}, {"params_b": 14.0, "gpus": (card,)}):
        query = stated(Kind.FITS_CHECK, **slots)
        reply = render(advise(query, load_catalog(), show), language, show=show)
        size = sum(
            len(b.markdown) if isinstance(b, Text) else len(table_markdown(b)) for b in (*reply.blocks, *reply.more)
        )
        assert 0 < size <= DISCORD_TEXT


def test_words_without_an_advice() -> None:
    assert "`lora_rank`" in words("errors/bad_value", "en", e={"field": "lora_rank", "value": -1, "low": 1, "high": 9})


def test_a_template_that_lacks_a_fact_is_an_error() -> None:
    advice = Advice(kind=Kind.FITS_CHECK, query=Query(), verdict=Verdict(code="yes"))
    with pytest.raises(UndefinedError):
        template("fits_check", "en").render(advice=advice, v={}, s=None, facts={}, findings=[], asks=None)

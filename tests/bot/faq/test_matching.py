"""Which entry a text asks for: what people type, typos included; and what is none of the FAQ's business."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from bot import faq
from bot.faq.entries import asks_of, entries_of

HERE = Path(__file__).parent


@cache
def data(name: str) -> Any:
    return yaml.safe_load((HERE / name).read_text("utf-8"))


PHRASINGS = [
    (language, entry, text)
    for language in ("en", "de")
    for entry, texts in data(f"phrasings_{language}.yaml").items()
    for text in texts
]


@pytest.mark.parametrize(("language", "entry", "text"), PHRASINGS)
def test_people_find_the_entry(language: str, entry: str, text: str) -> None:
    for said in (text, text.upper()):
        near = faq.nearest(said, language)
        assert near is not None
        assert near.id == entry


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_entry_has_phrasings(language: str) -> None:
    assert set(data(f"phrasings_{language}.yaml")) == set(entries_of(language))


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_entry_is_found_by_its_own_asks_and_title(language: str) -> None:
    lost = {
        (key, ask): found
        for key, entry in entries_of(language).items()
        for ask in (*asks_of(language)[entry.id], entry.title, key)
        if (found := faq.find(ask, language)) != key
    }
    assert not lost


@pytest.mark.parametrize(
    ("language", "text"),
    [(language, text) for language, texts in data("not_definitions.yaml").items() for text in texts],
)
def test_a_set_up_is_no_definition(language: str, text: str) -> None:
    assert faq.find(text, language) is None


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("does lora rank / number of target modules matter for vram? calculators never ask for it", "rank-and-memory"),
        (
            "my r=16 lora for an 8b is several GB, nearly as big as the model. did i train everything by accident?",
            "adapter-size",
        ),
        ("adam vs adafactor, 774M OOMs on my card", "optimizer-states"),
        ("what is dora", "dora"),
    ],
)
def test_a_long_text_known_to_be_a_definition_finds_what_it_contains(text: str, entry: str) -> None:
    assert faq.find(text, "en", known=True) == entry


def test_asking_is_told_from_naming() -> None:
    assert faq.asks("what is qlora", "en")
    assert faq.asks("qlora?", "en")
    assert not faq.asks("qlora", "en")
    assert faq.asks("was heißt qlora", "de")


@given(st.text(max_size=2000), st.sampled_from(["en", "de", "xx"]), st.booleans())
@settings(max_examples=200, deadline=None)
def test_any_text_is_survived(text: str, language: str, known: bool) -> None:
    found = faq.find(text, language, known=known)
    assert found is None or found in entries_of(language)

"""Suggestions: right ones first, at most 25, each at most 100 characters, whatever is typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import suggest
from bot.faq import by_id
from knowledge.catalog import load_catalog


def names(choices: list[suggest.Choice]) -> list[str]:
    return [choice.name for choice in choices]


@pytest.mark.parametrize(
    ("typed", "among_the_first"),
    [
        ("llama 3.1 8", "Llama-3.1-8B"),
        ("qwen3 14", "Qwen3-14B"),
        ("13b qlora on a 309", "13b qlora on a RTX 3090"),
        ("13b", "13b qlora"),
        ("13b qlora", "13b qlora on a 3090"),
        ("llama 3.1 8b lora on a 3060 12gb", "llama 3.1 8b lora on a 3060 12gb with 8k context"),
    ],
)
def test_questions_are_completed(typed: str, among_the_first: str) -> None:
    found = names(suggest.questions(typed, "en"))
    assert found[0] == typed
    assert among_the_first in found[:6]


def test_german_questions() -> None:
    assert "13b auf einer 3090" in names(suggest.questions("13b", "de"))
    assert all("card" not in name for name in names(suggest.questions("", "de")))


@pytest.mark.parametrize(
    ("typed", "first"),
    [("3090", "RTX 3090"), ("2x 309", "2x RTX 3090"), ("5090", "RTX 5090"), ("m3 max", "Apple M3 Max")],
)
def test_cards(typed: str, first: str) -> None:
    assert names(suggest.cards(typed))[0] == first


@pytest.mark.parametrize(
    ("typed", "first"), [("llama-3.1-8b", "Llama-3.1-8B"), ("8b", "8b"), ("mistral 7", "Mistral-7B-v0.1")]
)
def test_models(typed: str, first: str) -> None:
    assert first in names(suggest.models(typed))[:2]


def test_a_typo_still_finds_something() -> None:
    assert any(name.startswith("Qwen") for name in names(suggest.models("quen3")))


def test_topics_are_entries() -> None:
    for language in ("en", "de"):
        found = suggest.topics("", language)
        assert len(found) > 10
        assert all(by_id(choice.value, language) for choice in found)


def test_what_is_offered_first_exists() -> None:
    catalog = load_catalog()
    assert set(suggest.KNOWN_CARDS) <= set(catalog.gpus)
    models = [model.rpartition("/")[2].lower() for model in catalog.models]
    assert all(any(model.startswith(known.lower()) for model in models) for known in suggest.KNOWN_MODELS)


@given(st.text(max_size=300))
def test_limits(typed: str) -> None:
    of_questions, of_topics = suggest.questions(typed, "en"), suggest.topics(typed, "de")
    for found in (of_questions, suggest.models(typed), suggest.cards(typed), of_topics):
        assert len(found) <= 25
        assert len({choice.value for choice in found}) == len(found)
        assert all(1 <= len(choice.name) <= 100 and 1 <= len(choice.value) <= 100 for choice in found)
